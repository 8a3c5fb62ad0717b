//! `keel_ref._native`: the kernels of `keel-core` for Python. Converts values and knows no rule.

mod batch;
mod choices;
mod messages;
mod rounds;
mod session;
mod text;

use keel_core::text::{self as sizes, Text};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBytes, PyString};

/// Native kernels of keel-ref. Use them through `keel_ref.fast`.
#[pymodule(gil_used = true)] // lists and dicts are walked while nobody else can change them
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch::estimate_texts;
    #[pymodule_export]
    use super::messages::estimate_messages;
    #[pymodule_export]
    use super::rounds::api_rounds;
    #[pymodule_export]
    use super::session::estimate_transcript;
    #[pymodule_export]
    use super::text::{bound_paths, bound_units, read_bytes};
    #[pymodule_export]
    use super::{size_code_points, size_text, size_utf8, size_utf16};

    /// Version of the native code; equal to that of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives to it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// `release` or `debug`.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives to it")]
    const build_profile: &str = env!("PROFILE");

    /// Adds what is called in a way of its own.
    #[pymodule_init]
    fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let estimate_text = wrap_pyfunction!(super::text::estimate_text, module)?;
        module.add("estimate_text", super::text::call::function(&estimate_text)?)
    }
}

/// Bytes of the text in UTF-8.
#[pyfunction]
#[pyo3(signature = (text))]
fn size_utf8(text: &Bound<'_, PyAny>) -> PyResult<u64> {
    with_text(text, sizes::size_utf8)
}

/// Code units of the text in UTF-16.
#[pyfunction]
#[pyo3(signature = (text))]
fn size_utf16(text: &Bound<'_, PyAny>) -> PyResult<u64> {
    with_text(text, sizes::size_utf16)
}

/// Code points of the text.
#[pyfunction]
#[pyo3(signature = (text))]
fn size_code_points(text: &Bound<'_, PyAny>) -> PyResult<u64> {
    with_text(text, sizes::size_code_points)
}

/// UTF-8 bytes, UTF-16 code units and code points of the text.
#[pyfunction]
#[pyo3(signature = (text))]
fn size_text(text: &Bound<'_, PyAny>) -> PyResult<(u64, u64, u64)> {
    let sizes = with_text(text, sizes::size_text)?;
    Ok((sizes.utf8_bytes, sizes.utf16_units, sizes.code_points))
}

/// Hands a `str` to a kernel where Python keeps it, or `bytes` as UTF-8. Nothing is copied.
fn with_text<T>(object: &Bound<'_, PyAny>, kernel: impl FnOnce(Text<'_>) -> T) -> PyResult<T> {
    if let Ok(string) = object.cast::<PyString>() {
        // SAFETY: the slice lives as long as `string`, whose storage never changes or moves, and no kernel runs Python
        // code; the storage of a string that Python made is well-formed.
        let storage = unsafe { string.data() }?;
        return Ok(kernel(match storage {
            PyStringData::Ucs1(code_points) if is_ascii(string) => Text::Ascii(code_points),
            PyStringData::Ucs1(code_points) => Text::OneByte(code_points),
            PyStringData::Ucs2(code_points) => Text::TwoByte(code_points),
            PyStringData::Ucs4(code_points) => Text::FourByte(code_points),
        }));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(kernel(Text::Utf8Input(bytes.as_bytes())));
    }
    let name = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected str or bytes, not {name}")))
}

/// Whether Python has noted that every character of the string is ASCII, which costs no look at them.
fn is_ascii(string: &Bound<'_, PyString>) -> bool {
    // SAFETY: the pointer is that of a live string, and the note in its header is only read.
    unsafe { ffi::PyUnicode_IS_ASCII(string.as_ptr()) != 0 }
}
