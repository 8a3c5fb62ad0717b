//! Arrow data from another library of the process, by the capsules in which Arrow libraries hand it out.

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayRef, make_array};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use super::refused;

/// The array that the object hands out.
pub(super) fn array_of(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let py = object.py();
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
        object.call_method0(intern!(py, "__arrow_c_array__"))?.extract()?;
    let schema = pointer::<FFI_ArrowSchema>(&schema, c"arrow_schema")?;
    let array = pointer::<FFI_ArrowArray>(&array, c"arrow_array")?;
    // SAFETY: a capsule of this name holds a schema, which it keeps as long as it lives; it lives on above.
    let schema = unsafe { &*schema };
    // SAFETY: a capsule of this name holds an array, which is moved out and marked as such.
    let array = unsafe { FFI_ArrowArray::from_raw(array) };
    // SAFETY: the two belong together, and what they point to is as Arrow demands, by the contract of the interface.
    let data = unsafe { from_ffi(array, schema) }.map_err(|error| refused(py, &error.to_string()))?;
    Ok(make_array(data))
}

/// The arrays of the stream that the object hands out.
pub(super) fn stream_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let py = object.py();
    let capsule: Bound<'_, PyCapsule> = object.call_method0(intern!(py, "__arrow_c_stream__"))?.extract()?;
    let stream = pointer::<FFI_ArrowArrayStream>(&capsule, c"arrow_array_stream")?;
    // SAFETY: a capsule of this name holds a stream, which is moved out and marked as such.
    let reader = unsafe { ArrayStreamReader::from_raw(stream) };
    let chunks = reader.and_then(Iterator::collect);
    chunks.map_err(|error| refused(py, &error.to_string()))
}

/// What a capsule of that name points to.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<*mut T> {
    Ok(capsule.pointer_checked(Some(name))?.cast().as_ptr())
}
