//! Session files for Python.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use keel_core::session::{self, Figures, count_file};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::choices::{Argument, Method, method_of, weights_of};

/// Threads beyond which reading in order is what takes the time.
const THREADS_AT_MOST: usize = 16;
/// Bytes of a file for which one thread more is worth its start.
const BYTES_A_THREAD: u64 = 4 << 20;

/// What a session file holds, in lines, rows and tokens; the lock of the interpreter is released.
#[pyfunction]
#[pyo3(
    signature = (path, *, method = Argument::default(), family = Argument::default(), threads = None),
    text_signature = "(path, *, method='bound', family='any', threads=None)"
)]
#[expect(clippy::needless_pass_by_value, reason = "what Python hands over is taken as values")]
pub(crate) fn estimate_transcript<'py>(
    py: Python<'py>,
    path: PathBuf,
    method: Argument,
    family: Argument,
    threads: Option<isize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (file, size) = open(&path).map_err(|error| os_error(py, &error, &path))?;
    let threads = threads_for(py, threads, size)?;
    let (method, weights) = (method_of(py, method)?, weights_of(py, family)?);
    let method = match method {
        Method::Documented => session::Method::Documented,
        Method::Bound => session::Method::Bound(weights.table()),
    };
    let figures = py.detach(|| count_file(file, method, threads)).map_err(|error| os_error(py, &error, &path))?;
    estimate(py, figures)
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
