//! Asks for what a list holds before it is needed. It changes no result: the rows of a long session lie far apart, and
//! waiting for each of them in turn would take most of the time.

use core::ffi::c_void;

use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{Borrowed, ffi};

/// Items that are looked at while one is fetched.
pub(crate) const DISTANCE: usize = 8;
/// Bytes that come with one fetch.
const LINE_BYTES: usize = 64;
/// Lines in which the small table of a dict lies.
const KEY_LINES: usize = 3;
/// Values among which role and id of a row mostly are.
const VALUES: usize = 3;

/// Asks for the object at a place.
pub(crate) fn fetch_object(list: &Bound<'_, PyList>, place: usize) {
    if let Some(item) = item(list, place) {
        fetch(item.as_ptr().cast());
    }
}

/// Asks for the table of the dict at a place, if there is one.
pub(crate) fn fetch_keys(list: &Bound<'_, PyList>, place: usize) {
    let Some(item) = item(list, place) else { return };
    // SAFETY: the item is alive, and only its type is read.
    if unsafe { ffi::PyDict_CheckExact(item.as_ptr()) } == 0 {
        return;
    }
    // SAFETY: a live object of exactly this type begins with these fields, one of which is read.
    let keys: *const u8 = unsafe { (*item.as_ptr().cast::<ffi::PyDictObject>()).ma_keys }.cast();
    for line in 0..KEY_LINES {
        fetch(keys.wrapping_add(line * LINE_BYTES).cast());
    }
}

/// Asks for the first values of the dict at a place, as far as they are short texts.
pub(crate) fn fetch_values(list: &Bound<'_, PyList>, place: usize) {
    let Some(item) = item(list, place) else { return };
    let mut next: ffi::Py_ssize_t = 0;
    for _ in 0..VALUES {
        let mut value = core::ptr::null_mut();
        // SAFETY: the item is alive, what is no dict has no next value, and the two places may be written to.
        if unsafe { ffi::PyDict_Next(item.as_ptr(), &raw mut next, core::ptr::null_mut(), &raw mut value) } == 0 {
            return;
        }
        let first: *const u8 = value.cast();
        fetch(first.cast());
        fetch(first.wrapping_add(LINE_BYTES).cast());
    }
}

/// The item at a place, lent.
fn item<'a, 'py>(list: &'a Bound<'py, PyList>, place: usize) -> Option<Borrowed<'a, 'py, PyAny>> {
    if place >= list.len() {
        return None;
    }
    // SAFETY: the list is alive, it has an item at this place, and no Python code runs while the item is lent.
    let item = unsafe { ffi::PyList_GET_ITEM(list.as_ptr(), ffi::Py_ssize_t::try_from(place).ok()?) };
    // SAFETY: the item is alive as long as the list is not changed.
    Some(unsafe { Borrowed::from_ptr(list.py(), item) })
}

/// Asks for the line of memory in which the address lies. Any address will do.
#[cfg(target_arch = "x86_64")]
fn fetch(address: *const c_void) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint that reads nothing; every processor of this kind has it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// There is no way to ask on this machine.
#[cfg(not(target_arch = "x86_64"))]
fn fetch(_address: *const c_void) {}
