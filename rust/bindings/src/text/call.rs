//! `estimate_text` as Python calls it: a way of few instructions for the call that reads a size and nothing else.
//!
//! Under the documented rule Python knows the size of an ASCII text already, so that taking the arguments apart would
//! cost more than the estimate. Every other call goes on to the function that knows all of them.

use std::ffi::CStr;
use std::sync::OnceLock;
use std::{ptr, slice};

use keel_core::rough;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyString};

/// The addresses of what is looked for. The objects live as long as the process.
struct Known {
    method: usize,
    documented: usize,
    kind: usize,
    text: usize,
    json: usize,
    /// The function for every other call.
    other: usize,
}

static KNOWN: OnceLock<Known> = OnceLock::new();

const SIGNATURE: &CStr = c"estimate_text(text, *, method='bound', family='any', kind='text')
--

Tokens of one text; bytes are read as UTF-8.";

/// The function, which passes on to `other` what it does not do itself.
pub(crate) fn function<'py>(other: &Bound<'py, PyCFunction>) -> PyResult<Bound<'py, PyAny>> {
    let py = other.py();
    let interned = |name| PyString::intern(py, name).into_ptr() as usize; // kept for ever
    KNOWN.get_or_init(|| Known {
        method: interned("method"),
        documented: interned("documented"),
        kind: interned("kind"),
        text: interned("text"),
        json: interned("json"),
        other: other.clone().into_ptr() as usize,
    });
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"estimate_text".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: call },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: SIGNATURE.as_ptr(),
    }));
    let module = PyString::intern(py, "keel_ref._native");
    // SAFETY: the definition lives for ever and says how `call` is to be called; the name is that of a module.
    let made = unsafe { ffi::PyCFunction_NewEx(definition, ptr::null_mut(), module.as_ptr()) };
    // SAFETY: what was made is new and ours, or an error was set.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }
}

/// What Python calls.
///
/// # Safety
///
/// The arguments are those of the vectorcall protocol: `count` positional ones, and one for each of `names`.
unsafe extern "C" fn call(
    _: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let Some(known) = KNOWN.get() else { return ptr::null_mut() }; // never; it was set before this was made
    // SAFETY: the arguments are passed on as they came.
    let size = unsafe { known_size(known, arguments, count, names) };
    if let Some((size, is_json)) = size {
        // SAFETY: makes a number and touches nothing else.
        return unsafe { ffi::PyLong_FromUnsignedLongLong(rough::tokens_of_size(size, is_json)) };
    }
    // SAFETY: the function lives for ever, and the arguments are passed on as they came.
    unsafe { ffi::PyObject_Vectorcall(known.other as *mut _, arguments, count.unsigned_abs(), names) }
}

/// The size of the text and whether it is JSON, if the call is `estimate_text(text, method="documented")` or the same
/// with a kind, and the text is ASCII.
///
/// # Safety
///
/// As with [`call`].
unsafe fn known_size(
    known: &Known,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> Option<(u64, bool)> {
    if count != 1 || names.is_null() {
        return None;
    }
    // SAFETY: names that are not null are a tuple.
    let name_count = unsafe { ffi::PyTuple_GET_SIZE(names) };
    // SAFETY: one argument has no name, and behind it stands one for each name.
    let arguments = unsafe { slice::from_raw_parts(arguments, 1 + name_count.unsigned_abs()) };
    let (&text, rest) = arguments.split_first()?;
    let (mut is_documented, mut is_json) = (false, false);
    for (at, &value) in (0..name_count).zip(rest) {
        // SAFETY: the index lies inside the tuple.
        let name = unsafe { ffi::PyTuple_GET_ITEM(names, at) } as usize;
        let value = value as usize;
        if name == known.method && value == known.documented {
            is_documented = true;
        } else if name == known.kind && (value == known.text || value == known.json) {
            is_json = value == known.json;
        } else {
            return None;
        }
    }
    // SAFETY: an argument is a live object.
    let is_plain = is_documented && unsafe { ffi::PyUnicode_CheckExact(text) } != 0;
    // SAFETY: the object is a string, and the note in its header is only read.
    if !is_plain || unsafe { ffi::PyUnicode_IS_ASCII(text) } == 0 {
        return None;
    }
    // SAFETY: the object is a string of ASCII, which has its length in its header.
    let size = unsafe { ffi::PyUnicode_GET_LENGTH(text) };
    Some((u64::try_from(size).ok()?, is_json))
}
