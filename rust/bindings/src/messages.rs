//! Lists of messages: what they cost, by a walk over the objects where they lie. Mirrors `keel_ref/tokens/estimate.py`.

mod ahead;
mod arguments;
mod counter;
mod form;
mod measures;
mod values;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use arguments::{Argument, Family, family_of, is_bound};
use counter::Counter;
use form::Failure;
use measures::{Bounded, Measure, Rough};
use values::Items;
pub(crate) use values::{Object, word};

/// Tokens of a list of messages: plain objects, or those of the `anthropic` package. Spec: EST-012, EST-032, EST-034.
#[pyfunction]
#[pyo3(
    signature = (messages, *, method = Argument(None), family = Argument(None)),
    text_signature = "(messages, *, method='bound', family='any')"
)]
#[expect(clippy::needless_pass_by_value, reason = "what Python hands over")]
pub(crate) fn estimate_messages<'py>(
    messages: &Bound<'py, PyAny>,
    method: Argument<'py>,
    family: Argument<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let (is_bound, family) = (is_bound(py, &method)?, family_of(py, &family)?);
    let tokens = match &family {
        _ if !is_bound => count(messages, Rough)?,
        Family::Published(table) => count(messages, Bounded(table))?,
        Family::Own(table) => count(messages, Bounded(table))?,
        Family::Vast(family) => return by_the_model(messages, family),
    };
    Ok(tokens.into_pyobject(py)?.into_any())
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

/// The sum by the model, for numbers that fit no word.
fn by_the_model<'py>(messages: &Bound<'py, PyAny>, family: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let named = PyDict::new(py);
    named.set_item("family", family)?;
    py.import("keel_ref.tokens.estimate")?
        .call_method("estimate_messages", (messages,), Some(&named))?
        .getattr("tokens")
}
