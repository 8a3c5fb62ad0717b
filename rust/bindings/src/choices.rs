//! The arguments `method`, `family` and `kind`, as the model reads them.
//!
//! What is named most often is known by its address or its characters. Everything else goes to the functions of the
//! model, so that the errors are theirs.

use keel_core::weights::{FAMILIES, Table};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString};

/// An argument that may have been left out. Unlike with `Option`, `None` is an argument.
#[derive(Default, Clone, Copy)]
pub(crate) struct Argument<'a, 'py>(Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Argument<'a, 'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(Some(object)))
    }
}

/// Which of the two methods. Spec: EST-001, EST-030.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Documented,
    Bound,
}

/// The family where none is named.
const ANY: &str = "any";

/// What a text is known to be. Spec: EST-003.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Json,
}

/// The table of a family.
pub(crate) enum Weights {
    Published(&'static Table),
    Own(Box<Table>),
}

impl Weights {
    pub(crate) fn table(&self) -> &Table {
        match self {
            Self::Published(table) => table,
            Self::Own(table) => table,
        }
    }
}

/// The method; `bound` where none is named.
pub(crate) fn method_of(py: Python<'_>, argument: Argument) -> PyResult<Method> {
    static PARSE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(given) = argument.0 else { return Ok(Method::Bound) };
    let (documented, bound) = (intern!(py, "documented"), intern!(py, "bound"));
    if given.is(documented) {
        return Ok(Method::Documented);
    }
    if given.is(bound) {
        return Ok(Method::Bound);
    }
    let parsed = PARSE.import(py, "keel_ref.tokens.estimate", "parse_method")?.call1((&*given,))?;
    Ok(if parsed.eq(documented)? { Method::Documented } else { Method::Bound })
}

/// The kind; `text` where none is named.
pub(crate) fn kind_of(py: Python<'_>, argument: Argument) -> PyResult<Kind> {
    static PARSE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(given) = argument.0 else { return Ok(Kind::Text) };
    let (text, json) = (intern!(py, "text"), intern!(py, "json"));
    if given.is(text) {
        return Ok(Kind::Text);
    }
    if given.is(json) {
        return Ok(Kind::Json);
    }
    let parsed = PARSE.import(py, "keel_ref.tokens.estimate", "parse_kind")?.call1((&*given,))?;
    Ok(if parsed.eq(json)? { Kind::Json } else { Kind::Text })
}

/// The weights of the family; those of `any` where none is named.
pub(crate) fn weights_of(py: Python<'_>, argument: Argument) -> PyResult<Weights> {
    static FAMILY_OF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let given = argument.0.map_or_else(|| intern!(py, ANY).as_any().clone(), Borrowed::to_owned);
    if let Ok(name) = given.cast_exact::<PyString>()
        && let Ok(name) = name.to_str()
        && let Some((_, table)) = FAMILIES.iter().find(|family| family.0 == name)
    {
        return Ok(Weights::Published(table));
    }
    let family = FAMILY_OF.import(py, "keel_ref.tokens.families", "family_of")?.call1((given,))?;
    own_table(&family).map(|table| Weights::Own(Box::new(table)))
}

/// The table of a family that is given as an object.
fn own_table(family: &Bound<'_, PyAny>) -> PyResult<Table> {
    let py = family.py();
    let tokens = |name| family.getattr(name)?.extract::<u32>().map(u64::from); // the family holds no larger ones
    Ok(Table {
        bytes: weights(family, intern!(py, "byte_weights"))?,
        pairs: weights(family, intern!(py, "pair_weights"))?,
        list: tokens(intern!(py, "list_tokens"))?,
        row: tokens(intern!(py, "row_tokens"))?,
        block: tokens(intern!(py, "block_tokens"))?,
        image: tokens(intern!(py, "image_tokens"))?,
    })
}

/// So many weights of a family. It has made sure of their number itself.
fn weights<const COUNT: usize>(family: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<[u8; COUNT]> {
    let weights = family.getattr(name)?;
    let bytes = weights.cast::<PyBytes>()?.as_bytes();
    bytes.try_into().map_err(|_| PyValueError::new_err(format!("{name}: expected {COUNT} bytes, not {}", bytes.len())))
}
