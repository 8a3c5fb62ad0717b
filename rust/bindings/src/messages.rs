//! Lists of messages: what they cost, by a walk over the objects where they lie. Mirrors `keel_ref/tokens/estimate.py`.

pub(crate) mod ahead;
mod counter;
mod form;
pub(crate) mod lent;
mod measures;
mod plain;
mod values;

use pyo3::prelude::*;

use crate::choices::{Argument, Method, method_of, weights_of};
use counter::Counter;
use form::Failure;
use measures::{Bounded, Measure, Rough};
pub(crate) use values::{Items, Object, word};

/// Tokens of a list of messages: plain objects, or those of the `anthropic` package. Spec: EST-012, EST-032, EST-034.
#[pyfunction]
#[pyo3(
    signature = (messages, *, method = Argument::default(), family = Argument::default()),
    text_signature = "(messages, *, method='bound', family='any')"
)]
pub(crate) fn estimate_messages(messages: &Bound<'_, PyAny>, method: Argument, family: Argument) -> PyResult<u64> {
    let py = messages.py();
    let (method, weights) = (method_of(py, method)?, weights_of(py, family)?);
    match method {
        Method::Documented => count(messages, Rough),
        Method::Bound => count(messages, Bounded(weights.table())),
    }
}

/// The rows of the argument `messages`. Raises `InvalidArgumentError`. Spec: MSG-001.
pub(crate) fn rows_of<'py>(messages: &Bound<'py, PyAny>) -> PyResult<Items<'py>> {
    if let Some(rows) = Items::of(messages)? {
        return Ok(rows);
    }
    let rows = messages.py().import("keel_ref.messages.rows")?.call_method1("rows_of", (messages,))?; // which raises
    Ok(Items::List(rows.cast_into().map_err(PyErr::from)?))
}

fn count<M: Measure>(messages: &Bound<'_, PyAny>, measure: M) -> PyResult<u64> {
    let rows = rows_of(messages)?;
    let mut counter = Counter::new(measure);
    match counter.count(&rows) {
        Ok(tokens) => Ok(tokens),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::NoForm(problem)) => {
            let class = messages.py().import("keel_ref.errors")?.getattr("NotSerialisableError")?;
            Err(PyErr::from_value(class.call1((counter.place(), problem))?)) // [EST-027]
        }
    }
}
