//! Asks for what is lent before it is needed. It changes no result: the rows of a long session lie far apart, and waiting
//! for each of them in turn would take most of the time.

use core::ffi::c_void;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::lent::Lent;

/// Bytes that come with one fetch.
const LINE_BYTES: usize = 64;
/// Lines in which the table of a small dict lies.
const TABLE_LINES: usize = 3;

/// Asks for the object itself.
#[inline]
pub(crate) fn fetch_object(value: Lent<'_, '_>) {
    fetch(value.as_ptr().cast());
}

/// Asks for a short text, which may begin at the end of a line.
#[inline]
pub(crate) fn fetch_text(value: Lent<'_, '_>) {
    let first: *const u8 = value.as_ptr().cast();
    fetch(first.cast());
    fetch(first.wrapping_add(LINE_BYTES).cast());
}

/// Asks for the table of a dict, if it is one.
#[inline]
pub(crate) fn fetch_table(value: Lent<'_, '_>) {
    if !value.is_exact_instance_of::<PyDict>() {
        return;
    }
    // SAFETY: a live object of exactly this type begins with these fields, one of which is read.
    let table: *const u8 = unsafe { (*value.as_ptr().cast::<ffi::PyDictObject>()).ma_keys }.cast();
    for line in 0..TABLE_LINES {
        fetch(table.wrapping_add(line * LINE_BYTES).cast());
    }
}

/// Asks for the line of memory in which the address lies. Any address will do.
#[cfg(target_arch = "x86_64")]
#[inline]
fn fetch(address: *const c_void) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint that reads nothing; every processor of this kind has it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// There is no way to ask on this machine.
#[cfg(not(target_arch = "x86_64"))]
fn fetch(_address: *const c_void) {}
