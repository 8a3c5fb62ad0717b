//! The rounds of a list of messages. Mirrors `keel_ref/messages/rounds.py`. Spec: MSG-010 to MSG-015.

use keel_core::rounds::{Grouper, Row};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};
use pyo3::{ffi, intern};

use crate::messages::{Object, rows_of, word};

/// The rounds of a list: half-open stretches that tile it, a new one at each new response. Spec: MSG-010.
#[pyfunction]
#[pyo3(signature = (messages))]
pub(crate) fn api_rounds<'py>(messages: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = messages.py();
    let rows = rows_of(messages)?;
    let rounds = PyList::empty(py);
    let mut grouper = Grouper::default();
    let (mut from, mut to) = (PyInt::new(py, 0), 0);
    for row in rows.each_fetched() {
        if grouper.add(row_of(py, &row)?) && to > 0 {
            let end = PyInt::new(py, to);
            rounds.append(stretch(&from, &end)?)?;
            from = end;
        }
        to += 1;
    }
    if to > 0 {
        rounds.append(stretch(&from, &PyInt::new(py, to))?)?;
    }
    Ok(rounds)
}

/// A pair of whole numbers, of which the collector of garbage need not know: it would find that out by itself, one
/// pair after another, each time it runs.
fn stretch<'py>(from: &Bound<'py, PyInt>, to: &Bound<'py, PyInt>) -> PyResult<Bound<'py, PyTuple>> {
    let pair = (from, to).into_pyobject(from.py())?;
    // SAFETY: the tuple is alive, and holds nothing that could lead back to it.
    unsafe { ffi::PyObject_GC_UnTrack(pair.as_ptr().cast()) };
    Ok(pair)
}

/// What a row is to the grouping. Spec: MSG-001.
fn row_of<'py>(py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Row<Id<'py>>> {
    let Some(found) = Object::of(row)? else { return Ok(Row::Other) };
    if word(found.get(intern!(py, "role"))?.as_ref())? != b"assistant" {
        return Ok(Row::Other);
    }
    Ok(Row::Assistant(match found.get(intern!(py, "id"))?.map(Bound::cast_into::<PyString>) {
        Some(Ok(id)) if id.len()? > 0 => Some(Id(id)), // [MSG-012]
        _ => None,
    }))
}

/// A response id, held; equal ids have equal characters.
struct Id<'py>(Bound<'py, PyString>);

impl PartialEq for Id<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&other.0) || self.0.as_any().eq(&other.0).unwrap_or(false)
    }
}
