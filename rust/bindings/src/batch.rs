//! Estimates of many texts at once. Mirrors `keel_ref/tokens/batch.py`.

mod column;
mod import;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};

use crate::choices::Argument;
use crate::text::Measure;
use crate::with_text;

/// Tokens of each text of a list, a tuple or an Arrow column; 0 for `None`.
#[pyfunction]
#[pyo3(
    signature = (texts, *, method = Argument::default(), family = Argument::default(), kind = Argument::default()),
    text_signature = "(texts, *, method='bound', family='any', kind='text')"
)]
pub(crate) fn estimate_texts(
    texts: &Bound<'_, PyAny>,
    method: Argument,
    family: Argument,
    kind: Argument,
) -> PyResult<Vec<u64>> {
    let py = texts.py();
    let measure = Measure::of(py, method, family, kind)?;
    if let Ok(list) = texts.cast::<PyList>() {
        return list.iter().map(|text| tokens_of_item(&text, &measure)).collect();
    }
    if let Ok(tuple) = texts.cast::<PyTuple>() {
        return tuple.iter_borrowed().map(|text| tokens_of_item(&text, &measure)).collect();
    }
    let chunks = if texts.hasattr(intern!(py, "__arrow_c_array__"))? {
        vec![import::array_of(texts)?]
    } else if texts.hasattr(intern!(py, "__arrow_c_stream__"))? {
        import::stream_of(texts)?
    } else {
        let name = texts.get_type().name()?;
        let problem = format!("expected a list or tuple of texts or an Arrow column of them, not {name}");
        return Err(refused(py, &problem));
    };
    let columns = column::columns_of(&chunks)
        .ok_or_else(|| refused(py, "an Arrow column has to be of type string, large_string or string_view"))?;
    Ok(py.detach(|| column::tokens_of_columns(&columns, &measure))) // Arrow data does not change
}

fn tokens_of_item(text: &Bound<'_, PyAny>, measure: &Measure) -> PyResult<u64> {
    if text.is_none() { Ok(0) } else { with_text(text, |text| measure.tokens(text)) }
}

/// An `InvalidArgumentError` about the texts.
fn refused(py: Python<'_>, problem: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    match CLASS.import(py, "keel_ref.errors", "InvalidArgumentError").and_then(|class| class.call1(("texts", problem)))
    {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
