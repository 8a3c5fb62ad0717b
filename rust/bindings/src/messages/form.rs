//! The serialised form of a Python value, handed to a sink piece by piece. Mirrors `keel_ref/tokens/serialise.py`.

use core::ops::ControlFlow;

use keel_core::json_size::{Sink, number};
use pyo3::exceptions::PyOverflowError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use super::values::{Items, Object, stored};

/// Objects and lists inside one another that are followed. Spec: EST-027.
pub(crate) const NESTING_CAP_LEVELS: u32 = 200;

/// Why a count ended.
pub(crate) enum Failure {
    /// Python raised something.
    Python(PyErr),
    /// A value has no JSON form; the text says why. Spec: EST-027.
    NoForm(Py<PyString>),
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Failure {
    /// More levels than are followed, or a value that contains itself. Spec: EST-027.
    pub(crate) fn too_deep(py: Python<'_>) -> Self {
        let problem = format!("more than {NESTING_CAP_LEVELS} levels of objects and lists inside one another");
        Self::NoForm(PyString::new(py, &problem).unbind())
    }

    fn unknown_type(value: &Bound<'_, PyAny>) -> Self {
        match value.get_type().name() {
            Ok(name) => Self::formatted("a value of the type {} has no JSON form", name.as_any()),
            Err(error) => Self::Python(error),
        }
    }

    fn formatted(pattern: &str, value: &Bound<'_, PyAny>) -> Self {
        let text = PyString::new(value.py(), pattern).call_method1(intern!(value.py(), "format"), (value,));
        match text.and_then(|text| Ok(text.cast_into::<PyString>()?)) {
            Ok(text) => Self::NoForm(text.unbind()),
            Err(error) => Self::Python(error),
        }
    }
}

/// Writes the value, which is on that level, as compact JSON. Spec: EST-010, EST-027.
pub(crate) fn write(value: &Bound<'_, PyAny>, level: u32, sink: &mut impl Sink) -> Result<(), Failure> {
    if let Ok(text) = value.cast::<PyString>() {
        sink.quoted(stored(text)?);
    } else if value.is_none() {
        sink.plain(b"null");
    } else if let Ok(truth) = value.cast::<PyBool>() {
        sink.plain(if truth.is_true() { b"true" } else { b"false" });
    } else if let Ok(int) = value.cast::<PyInt>() {
        write_whole(int, sink)?;
    } else if let Ok(float) = value.cast::<PyFloat>() {
        number(sink, float.value());
    } else {
        write_container(value, level, sink)?;
    }
    Ok(())
}

fn write_container(value: &Bound<'_, PyAny>, level: u32, sink: &mut impl Sink) -> Result<(), Failure> {
    let is_too_deep = level > NESTING_CAP_LEVELS; // [EST-027] a value that contains itself comes to this too
    if let Some(object) = Object::of(value)? {
        if is_too_deep {
            return Err(Failure::too_deep(value.py()));
        }
        return write_object(&object, level, sink);
    }
    let Some(items) = Items::of(value)? else { return Err(Failure::unknown_type(value)) };
    if is_too_deep {
        return Err(Failure::too_deep(value.py()));
    }
    sink.plain(b"[");
    for (place, item) in items.each().enumerate() {
        if place > 0 {
            sink.plain(b",");
        }
        write(&item, level + 1, sink)?;
    }
    sink.plain(b"]");
    Ok(())
}

fn write_object(object: &Object<'_>, level: u32, sink: &mut impl Sink) -> Result<(), Failure> {
    let mut opening: &[u8] = b"{";
    let ended = object.each(|key, item| {
        let Ok(name) = key.cast::<PyString>() else {
            return Err(Failure::formatted("an object has the key {!r}, which is no text", &key));
        };
        sink.plain(opening); // [EST-010] no blanks, keys in the order given
        opening = b",";
        sink.quoted(stored(name)?);
        sink.plain(b":");
        write(&item, level + 1, sink)
    })?;
    if let ControlFlow::Break(failure) = ended {
        return Err(failure);
    }
    sink.plain(if opening == b"{" { b"{}" } else { b"}" });
    Ok(())
}

/// The decimal digits of a whole number; Python writes those that fit no word.
fn write_whole(value: &Bound<'_, PyInt>, sink: &mut impl Sink) -> Result<(), Failure> {
    match value.extract::<i64>() {
        Ok(small) => sink.whole(small),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            let digits = value.py().import("keel_ref.tokens.serialise")?.call_method1("_whole", (value,))?;
            sink.text(stored(digits.cast::<PyString>().map_err(PyErr::from)?)?);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
