//! The rounds of a list of messages. Mirrors `keel_ref/messages/rounds.py`. Spec: MSG-010 to MSG-015.

use keel_core::rounds::{Grouper, Row};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};
use pyo3::{ffi, intern};

use crate::messages::{Items, Object, fetch_value, rows_of, word};

/// Rows that are looked at together, so that their texts are fetched together.
const GROUP_ROWS: usize = 16;

/// The rounds of a list: half-open stretches that tile it, a new one at each new response. Spec: MSG-010.
#[pyfunction]
#[pyo3(signature = (messages))]
pub(crate) fn api_rounds<'py>(messages: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = messages.py();
    let rows = rows_of(messages)?;
    let rounds = PyList::empty(py);
    let mut grouper = Grouper::default();
    let mut from = PyInt::new(py, 0);
    let mut place = 0;
    while place < rows.len() {
        let group: [Option<Seen<'py>>; GROUP_ROWS] = look(py, &rows, place)?;
        for seen in group.into_iter().flatten() {
            if grouper.add(seen.row(py)?) && place > 0 {
                let to = PyInt::new(py, place);
                rounds.append(stretch(&from, &to)?)?;
                from = to;
            }
            place += 1;
        }
    }
    if place > 0 {
        rounds.append(stretch(&from, &PyInt::new(py, place))?)?;
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

/// What the grouping has to know of one row.
enum Seen<'py> {
    /// Role and id of a plain dict.
    Plain(Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>),
    /// Any other row.
    Other(Bound<'py, PyAny>),
}

/// The rows from a place on; none behind the last.
fn look<'py, const N: usize>(py: Python<'py>, rows: &Items<'py>, place: usize) -> PyResult<[Option<Seen<'py>>; N]> {
    let mut group = [const { None }; N];
    for (seen, row) in group.iter_mut().zip(rows.from(place)) {
        *seen = Some(match row.cast_into_exact::<PyDict>() {
            Ok(row) => {
                let (role, id) = (row.get_item(intern!(py, "role"))?, row.get_item(intern!(py, "id"))?);
                [&role, &id].into_iter().flatten().for_each(fetch_value);
                Seen::Plain(role, id)
            }
            Err(other) => Seen::Other(other.into_inner()),
        });
    }
    Ok(group)
}

impl<'py> Seen<'py> {
    /// What the row is to the grouping. Spec: MSG-001.
    fn row(self, py: Python<'py>) -> PyResult<Row<Id<'py>>> {
        let id = match self {
            Self::Plain(role, id) if word(role.as_ref())? == b"assistant" => id,
            Self::Plain(..) => return Ok(Row::Other),
            Self::Other(row) => match Object::of(&row)? {
                Some(found) if word(found.get(intern!(py, "role"))?.as_ref())? == b"assistant" => {
                    found.get(intern!(py, "id"))?
                }
                _ => return Ok(Row::Other),
            },
        };
        Ok(Row::Assistant(match id.map(Bound::cast_into::<PyString>) {
            Some(Ok(id)) if id.len()? > 0 => Some(Id(id)), // [MSG-012]
            _ => None,
        }))
    }
}

/// A response id, held; equal ids have equal characters.
struct Id<'py>(Bound<'py, PyString>);

impl PartialEq for Id<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&other.0) || self.0.as_any().eq(&other.0).unwrap_or(false)
    }
}
