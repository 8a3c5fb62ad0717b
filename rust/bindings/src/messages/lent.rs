//! Plain values where they lie, which nobody holds while they are looked at: exactly `dict`, `list`, `tuple`, `str` and
//! numbers, and nothing of another class.
//!
//! What is lent stays alive because nothing is changed meanwhile. So nothing here runs Python code, and whoever walks over
//! lent values must not either: at the first value that is not plain he lets go of all of them and begins again with values
//! that are held.

use core::slice;

use keel_core::text::Text;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use pyo3::{Borrowed, Python, ffi};

/// A value that is lent.
pub(crate) type Lent<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// The characters of a plain text.
#[inline]
pub(crate) fn text<'a>(value: Lent<'a, '_>) -> Option<Text<'a>> {
    if !value.is_exact_instance_of::<PyString>() {
        return None;
    }
    #[allow(deprecated, reason = "until Python 3.12 a string could still wait to be brought into its form of today")]
    // SAFETY: the value is a string, and the note in its header is only read.
    let is_ready = unsafe { ffi::PyUnicode_IS_READY(value.as_ptr()) } != 0;
    if !is_ready {
        return None;
    }
    // SAFETY: a string that is ready has a length.
    let length = unsafe { ffi::PyUnicode_GET_LENGTH(value.as_ptr()) }.cast_unsigned();
    // SAFETY: a string that is ready has a storage, which never changes or moves while it lives.
    let points = unsafe { ffi::PyUnicode_DATA(value.as_ptr()) };
    // SAFETY: the note in its header is only read.
    if unsafe { ffi::PyUnicode_IS_ASCII(value.as_ptr()) } != 0 {
        // SAFETY: so many characters of this size lie there, as long as the string lives.
        return Some(Text::Ascii(unsafe { slice::from_raw_parts(points.cast(), length) }));
    }
    // SAFETY: the note in its header is only read.
    match unsafe { ffi::PyUnicode_KIND(value.as_ptr()) } {
        // SAFETY: so many characters of this size lie there, as long as the string lives.
        ffi::PyUnicode_1BYTE_KIND => Some(Text::OneByte(unsafe { slice::from_raw_parts(points.cast(), length) })),
        // SAFETY: as above.
        ffi::PyUnicode_2BYTE_KIND => Some(Text::TwoByte(unsafe { slice::from_raw_parts(points.cast(), length) })),
        // SAFETY: as above.
        ffi::PyUnicode_4BYTE_KIND => Some(Text::FourByte(unsafe { slice::from_raw_parts(points.cast(), length) })),
        _ => None,
    }
}

/// A plain number that is not stored as a whole one.
pub(crate) fn float(value: Lent<'_, '_>) -> Option<f64> {
    value.cast_exact::<PyFloat>().ok().map(|float| float.value())
}

/// A plain whole number, as far as it fits.
#[inline]
pub(crate) fn whole(value: Lent<'_, '_>) -> Option<i64> {
    if !value.is_exact_instance_of::<PyInt>() {
        return None;
    }
    let mut overflow = 0;
    // SAFETY: the value is a whole number and no instance of another class, so it is read without a call of its methods.
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(small)
}

/// The items of a plain list or tuple.
#[derive(Clone, Copy)]
pub(crate) struct Items<'a, 'py> {
    places: &'a [*mut ffi::PyObject],
    py: Python<'py>,
}

impl<'a, 'py> Items<'a, 'py> {
    /// Those of the value, if it is a list or tuple.
    #[inline]
    pub(crate) fn of(value: Lent<'a, 'py>) -> Option<Self> {
        let first: *const *mut ffi::PyObject = if value.is_exact_instance_of::<PyList>() {
            // SAFETY: a live object of exactly this type begins with these fields, one of which is read.
            unsafe { (*value.as_ptr().cast::<ffi::PyListObject>()).ob_item.cast() }
        } else if value.is_exact_instance_of::<PyTuple>() {
            // SAFETY: as above; the items are a part of the object.
            unsafe { (&raw const (*value.as_ptr().cast::<ffi::PyTupleObject>()).ob_item).cast() }
        } else {
            return None;
        };
        // SAFETY: lists and tuples have their size in the same place.
        let size = unsafe { ffi::Py_SIZE(value.as_ptr()) }.cast_unsigned();
        if size == 0 {
            return Some(Self { places: &[], py: value.py() }); // an empty list may have no place for items
        }
        // SAFETY: so many items lie there, as long as the list is not changed.
        Some(Self { places: unsafe { slice::from_raw_parts(first, size) }, py: value.py() })
    }

    /// The item at a place; none behind the last.
    #[inline]
    pub(crate) fn get(self, place: usize) -> Option<Lent<'a, 'py>> {
        // SAFETY: an item of a list lives as long as the list is not changed.
        self.places.get(place).map(|&item| unsafe { Borrowed::from_ptr(self.py, item) })
    }

    /// How many there are.
    pub(crate) fn len(self) -> usize {
        self.places.len()
    }

    /// Each in order.
    #[inline]
    pub(crate) fn each(self) -> impl Iterator<Item = Lent<'a, 'py>> {
        // SAFETY: an item of a list lives as long as the list is not changed.
        self.places.iter().map(move |&item| unsafe { Borrowed::from_ptr(self.py, item) })
    }
}

/// The keys and values of a plain dict, in its order.
pub(crate) struct Entries<'a, 'py> {
    dict: Lent<'a, 'py>,
    place: ffi::Py_ssize_t,
}

impl<'a, 'py> Entries<'a, 'py> {
    /// Those of the value, if it is a dict.
    #[inline]
    pub(crate) fn of(value: Lent<'a, 'py>) -> Option<Self> {
        value.is_exact_instance_of::<PyDict>().then_some(Self { dict: value, place: 0 })
    }
}

impl<'a, 'py> Iterator for Entries<'a, 'py> {
    type Item = (Lent<'a, 'py>, Lent<'a, 'py>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (core::ptr::null_mut(), core::ptr::null_mut());
        // SAFETY: the dict is alive, and the three places may be written to.
        if unsafe { ffi::PyDict_Next(self.dict.as_ptr(), &raw mut self.place, &raw mut key, &raw mut value) } == 0 {
            return None;
        }
        // SAFETY: what a dict holds lives as long as the dict is not changed.
        let key = unsafe { Borrowed::from_ptr(self.dict.py(), key) };
        // SAFETY: as above.
        Some((key, unsafe { Borrowed::from_ptr(self.dict.py(), value) }))
    }
}
