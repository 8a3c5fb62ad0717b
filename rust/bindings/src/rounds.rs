//! The rounds of a list of messages. Mirrors `keel_ref/messages/rounds.py`. Spec: MSG-010 to MSG-015.

mod plain;

use keel_core::rounds::{Grouper, Row};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};
use pyo3::{ffi, intern};

use crate::messages::{Items, Object, rows_of, word};

/// The rounds of a list: half-open stretches that tile it, a new one at each new response. Spec: MSG-010.
#[pyfunction]
#[pyo3(signature = (messages))]
pub(crate) fn api_rounds<'py>(messages: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = messages.py();
    let rows = rows_of(messages)?;
    let (starts, size) = match rows.lent().and_then(plain::starts) {
        Some(found) => found,
        None => starts(py, &rows)?,
    };
    stretches(py, &starts, size)
}

/// Where rounds begin, and how many rows there are. A list may change while it is looked at.
fn starts<'py>(py: Python<'py>, rows: &Items<'py>) -> PyResult<(Vec<usize>, usize)> {
    let (mut grouper, mut starts, mut size) = (Grouper::default(), Vec::new(), 0);
    for row in rows.each() {
        if grouper.add(row_of(py, &row)?) {
            starts.push(size);
        }
        size += 1;
    }
    Ok((starts, size))
}

/// The stretches from each start, the first of which is 0, to the next one, and from the last to the end.
fn stretches<'py>(py: Python<'py>, starts: &[usize], size: usize) -> PyResult<Bound<'py, PyList>> {
    let mut from = PyInt::new(py, 0);
    let stretches = (1..=starts.len()).map(|next| {
        let to = PyInt::new(py, starts.get(next).copied().unwrap_or(size));
        Stretch { from: core::mem::replace(&mut from, to.clone()), to }
    });
    PyList::new(py, stretches)
}

/// A pair of whole numbers.
struct Stretch<'py> {
    from: Bound<'py, PyInt>,
    to: Bound<'py, PyInt>,
}

impl<'py> IntoPyObject<'py> for Stretch<'py> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    /// A tuple of which the collector of garbage need not know: it would find that out by itself, one tuple after
    /// another, each time it runs.
    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let pair = (self.from, self.to).into_pyobject(py)?;
        // SAFETY: the tuple is alive, and holds nothing that could lead back to it.
        unsafe { ffi::PyObject_GC_UnTrack(pair.as_ptr().cast()) };
        Ok(pair)
    }
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
