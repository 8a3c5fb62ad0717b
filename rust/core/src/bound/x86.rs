//! The sum by the vector instructions of x86-64.
//!
//! Its unsafe code: loads from memory, and calls of functions that need instructions which
//! the caller has asked the machine for.

mod avx2;
mod avx512;
mod codes;
mod tables;
mod transcode;

use std::arch::is_x86_feature_detected;

use super::read::add_words;
use crate::weights::Table;

/// Whether the machine has what [`sum_avx2`] takes.
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

/// Whether the machine has what [`sum_avx512`] and [`encode_avx512`] take.
pub(super) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vnni")
}

/// Units of the bytes behind the byte before, 32 at a time. Nothing where the machine cannot do it.
pub(super) fn sum_avx2(table: &Table, before: u8, bytes: &[u8]) -> Option<u64> {
    // SAFETY: the machine has the instructions, by the question before.
    has_avx2().then(|| unsafe { avx2::sum(table, before, bytes) })
}

/// Units of the bytes behind the byte before, 64 at a time. Nothing where the machine cannot do it.
pub(super) fn sum_avx512(table: &Table, before: u8, bytes: &[u8]) -> Option<u64> {
    // SAFETY: the machine has the instructions, by the question before.
    has_avx512().then(|| unsafe { avx512::sum(table, before, bytes) })
}

/// Writes the UTF-8 form of the code points and says how many bytes it takes. Nothing where the machine cannot do it.
pub(super) fn encode_avx512<T: Copy + Into<u32>>(code_points: &[T], buffer: &mut [u8]) -> Option<usize> {
    // SAFETY: the machine has the instructions, by the question before.
    has_avx512().then(|| unsafe { transcode::encode(code_points, buffer) })
}

/// Reads the bytes, 32 at a time. Nothing where the machine cannot do it.
pub(super) fn read_avx2(bytes: &[u8]) -> Option<u64> {
    #[target_feature(enable = "avx2")]
    fn read(bytes: &[u8]) -> u64 {
        add_words(bytes)
    }
    // SAFETY: the machine has the instructions, by the question before.
    has_avx2().then(|| unsafe { read(bytes) })
}

/// Reads the bytes, 64 at a time. Nothing where the machine cannot do it.
pub(super) fn read_avx512(bytes: &[u8]) -> Option<u64> {
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn read(bytes: &[u8]) -> u64 {
        add_words(bytes)
    }
    // SAFETY: the machine has the instructions, by the question before.
    has_avx512().then(|| unsafe { read(bytes) })
}
