//! Session files for Python.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use keel_core::session::{Figures, Method, count_file};
use keel_core::weights::Table;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Threads beyond which reading in order is what takes the time.
const THREADS_AT_MOST: usize = 16;
/// Bytes of a file for which one thread more is worth its start.
const BYTES_A_THREAD: u64 = 4 << 20;

/// What a session file holds, in lines, rows and tokens; the lock of the interpreter is released.
#[pyfunction]
#[pyo3(signature = (path, *, method = Given(None), family = Given(None), threads = None))]
#[pyo3(text_signature = "(path, *, method='bound', family='any', threads=None)")]
#[expect(clippy::needless_pass_by_value, reason = "what Python hands over is taken as values")]
pub(crate) fn estimate_transcript<'py>(
    py: Python<'py>,
    path: PathBuf,
    method: Given<'py>,
    family: Given<'py>,
    threads: Option<isize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (file, size) = open(&path).map_err(|error| os_error(py, &error, &path))?;
    let threads = threads_for(py, threads, size)?;
    let is_bound = is_bound(py, method.0.as_ref())?;
    let table = table_of(py, family.0)?;
    let method = if is_bound { Method::Bound(&table) } else { Method::Documented };
    let figures = py.detach(|| count_file(file, method, threads)).map_err(|error| os_error(py, &error, &path))?;
    estimate(py, figures)
}

/// An argument that may be left out; None is a value like any other.
pub(crate) struct Given<'py>(Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(object.to_owned())))
    }
}

/// The file and its size.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::Error::from_raw_os_error(EISDIR));
    }
    Ok((file, about.len()))
}

/// The number of the error that a folder is no file.
const EISDIR: i32 = 21;

/// The error as Python's own `open` raises it.
fn os_error(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(error.to_string()) };
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
    match text {
        Ok(text) => PyOSError::new_err((number, text.unbind(), path.as_os_str().to_owned())),
        Err(other) => other,
    }
}

/// How many threads are worth while for a file of that size, or were asked for.
fn threads_for(py: Python<'_>, wanted: Option<isize>, size: u64) -> PyResult<usize> {
    let Some(wanted) = wanted else {
        let worth = usize::try_from(size / BYTES_A_THREAD).unwrap_or(usize::MAX).max(1);
        return Ok(thread::available_parallelism().map_or(1, usize::from).min(THREADS_AT_MOST).min(worth));
    };
    if let Ok(threads @ 1..) = usize::try_from(wanted) {
        return Ok(threads.min(THREADS_AT_MOST));
    }
    let problem = format!("{wanted} is no number of threads; give 1 or more, or None");
    let class = py.import("keel_ref.errors")?.getattr("InvalidArgumentError")?;
    Err(PyErr::from_value(class.call1(("threads", problem))?))
}

/// Whether the method is the bound. Raises what the model raises for one that does not exist.
fn is_bound(py: Python<'_>, method: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let Some(method) = method else { return Ok(true) };
    let known = py.import("keel_ref.tokens.estimate")?.call_method1("parse_method", (method,))?;
    Ok(known.cast::<PyString>()?.to_str()? == "bound")
}

/// The table of the family. Raises what the model raises for one that is not published.
fn table_of<'py>(py: Python<'py>, family: Option<Bound<'py, PyAny>>) -> PyResult<Table> {
    let family = family.unwrap_or_else(|| PyString::intern(py, "any").into_any());
    let known = py.import("keel_ref.tokens.families")?.call_method1("family_of", (family,))?;
    let weights = |name: &str| known.getattr(name)?.extract::<Vec<u8>>();
    let wrong = |_| PyValueError::new_err("a table has 256 byte weights and 100 pair weights");
    Ok(Table {
        bytes: weights("byte_weights")?.try_into().map_err(wrong)?,
        pairs: weights("pair_weights")?.try_into().map_err(wrong)?,
        list: known.getattr("list_tokens")?.extract()?,
        row: known.getattr("row_tokens")?.extract()?,
        block: known.getattr("block_tokens")?.extract()?,
        image: known.getattr("image_tokens")?.extract()?,
    })
}

/// The figures as the class of the model.
fn estimate(py: Python<'_>, figures: Figures) -> PyResult<Bound<'_, PyAny>> {
    let named = PyDict::new(py);
    named.set_item("lines", figures.lines)?;
    named.set_item("broken", figures.broken)?;
    named.set_item("boundaries", figures.boundaries)?;
    named.set_item("attachments", figures.attachments)?;
    named.set_item("rows", figures.rows)?;
    named.set_item("tokens", figures.tokens)?;
    named.set_item("since_boundary", figures.since_boundary)?;
    named.set_item("sidechain_rows", figures.sidechain_rows)?;
    named.set_item("sidechain_tokens", figures.sidechain_tokens)?;
    py.import("keel_ref.tokens.transcript")?.getattr("TranscriptEstimate")?.call((), Some(&named))
}
