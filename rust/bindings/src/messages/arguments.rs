//! The arguments `method` and `family`. What is not plain is put to the model, which raises its own errors.

use keel_core::weights::{FAMILIES, Table};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::values::word;

/// An argument of any type, or none.
pub(crate) struct Argument<'py>(pub(crate) Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Argument<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(Some(object.to_owned())))
    }
}

/// The weights of a family.
pub(crate) enum Family<'py> {
    /// One that is published.
    Published(&'static Table),
    /// One that the caller has made.
    Own(Box<Table>),
    /// One whose numbers only the model can hold.
    Vast(Bound<'py, PyAny>),
}

/// Whether the method is the bound. Raises `InvalidArgumentError`. Spec: EST-030.
pub(crate) fn is_bound(py: Python<'_>, method: &Argument<'_>) -> PyResult<bool> {
    let Some(method) = &method.0 else { return Ok(true) };
    match word(Some(method))? {
        b"bound" => Ok(true),
        b"documented" => Ok(false),
        _ => {
            let parsed = py.import("keel_ref.tokens.estimate")?.call_method1("parse_method", (method,))?;
            Ok(word(Some(&parsed))? == b"bound")
        }
    }
}

/// The family. Raises `InvalidArgumentError`. Spec: EST-030.
pub(crate) fn family_of<'py>(py: Python<'py>, family: &Argument<'py>) -> PyResult<Family<'py>> {
    let published = |name: &[u8]| FAMILIES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, table)| table);
    let name = family.0.as_ref().map_or(Ok(b"any".as_slice()), |family| word(Some(family)))?;
    if let Some(table) = published(name) {
        return Ok(Family::Published(table));
    }
    let found = py.import("keel_ref.tokens.families")?.call_method1("family_of", (family.0.as_ref(),))?;
    Ok(own_table(&found)?.map_or(Family::Vast(found), |table| Family::Own(Box::new(table))))
}

/// The table of a `Family`; none where a number is too large to be added up safely.
fn own_table(family: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
    let py = family.py();
    let weights = |name| -> PyResult<Bound<'_, PyBytes>> { Ok(family.getattr(name)?.cast_into::<PyBytes>()?) };
    let tokens = |name| -> PyResult<Option<u64>> { Ok(family.getattr(name)?.extract::<u32>().ok().map(u64::from)) };
    let (bytes, pairs) = (weights(intern!(py, "byte_weights"))?, weights(intern!(py, "pair_weights"))?);
    let frames = (
        bytes.as_bytes().try_into().ok(),
        pairs.as_bytes().try_into().ok(),
        tokens(intern!(py, "list_tokens"))?,
        tokens(intern!(py, "row_tokens"))?,
        tokens(intern!(py, "block_tokens"))?,
        tokens(intern!(py, "image_tokens"))?,
    );
    Ok(match frames {
        (Some(bytes), Some(pairs), Some(list), Some(row), Some(block), Some(image)) => {
            Some(Table { bytes, pairs, list, row, block, image })
        }
        _ => None,
    })
}
