//! Estimates of one text, and what tests and measurements need besides.

pub(crate) mod call;

use keel_core::bound::{self, Path, Running};
use keel_core::rough;
use keel_core::text::Text;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::choices::{Argument, Kind, Method, Weights, kind_of, method_of, weights_of};
use crate::with_text;

/// What an estimate of a text needs to know.
pub(crate) struct Measure {
    method: Method,
    kind: Kind,
    weights: Weights,
}

impl Measure {
    /// From the arguments, judged in the order in which the model judges them.
    pub(crate) fn of(py: Python<'_>, method: Argument, family: Argument, kind: Argument) -> PyResult<Self> {
        let weights = weights_of(py, family)?;
        let method = method_of(py, method)?;
        Ok(Self { method, kind: kind_of(py, kind)?, weights })
    }

    /// Tokens of the text.
    pub(crate) fn tokens(&self, text: Text) -> u64 {
        match self.method {
            Method::Bound => bound::tokens(text, self.weights.table()),
            Method::Documented => rough::tokens(text, self.kind == Kind::Json),
        }
    }

    /// Tokens of a text that is known to be UTF-8.
    pub(crate) fn tokens_of_utf8(&self, text: &[u8]) -> u64 {
        match self.method {
            Method::Bound => {
                let mut running = Running::new(self.weights.table());
                running.push_utf8(text);
                running.tokens()
            }
            Method::Documented => self.tokens(Text::Utf8Input(text)),
        }
    }
}

/// Tokens of one text; bytes are read as UTF-8.
#[pyfunction]
#[pyo3(
    signature = (text, *, method = Argument::default(), family = Argument::default(), kind = Argument::default()),
    text_signature = "(text, *, method='bound', family='any', kind='text')"
)]
pub(crate) fn estimate_text(
    text: &Bound<'_, PyAny>,
    method: Argument,
    family: Argument,
    kind: Argument,
) -> PyResult<u64> {
    let measure = Measure::of(text.py(), method, family, kind)?;
    with_text(text, |text| measure.tokens(text))
}

/// The sum of the bound before it is rounded, by the path that is named.
#[pyfunction]
#[pyo3(signature = (text, family, path), text_signature = "(text, family, path)")]
pub(crate) fn bound_units(text: &Bound<'_, PyAny>, family: Argument, path: &str) -> PyResult<u64> {
    let weights = weights_of(text.py(), family)?;
    let path = path_of(path)?;
    with_text(text, |text| {
        let mut running = Running::on(path, weights.table());
        running.push(text);
        running.units()
    })
}

/// The names of the paths that this machine can take, the slowest first.
#[pyfunction]
pub(crate) fn bound_paths() -> Vec<&'static str> {
    Path::available().map(Path::name).collect()
}

/// The words of a text of one byte for each character added up, by the widest loads of the path.
#[pyfunction]
#[pyo3(signature = (text, path), text_signature = "(text, path)")]
pub(crate) fn read_bytes(text: &Bound<'_, PyAny>, path: &str) -> PyResult<u64> {
    let path = path_of(path)?;
    with_text(text, |text| match text {
        Text::Ascii(bytes) | Text::OneByte(bytes) | Text::Utf8Input(bytes) => Ok(bound::read_bytes(path, bytes)),
        _ => Err(PyValueError::new_err("text: expected one byte for each character")),
    })?
}

/// The path of that name, which this machine has to have.
fn path_of(name: &str) -> PyResult<Path> {
    let problem = || PyValueError::new_err(format!("path: {name} is none of this machine; see bound_paths()"));
    Path::available().find(|path| path.name() == name).ok_or_else(problem)
}
