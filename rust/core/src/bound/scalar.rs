//! The sum one byte at a time: the definition, and what short texts take.

use crate::weights::{CLASSES, Table};

/// Classes in a row of the table of pairs.
pub(super) const CLASS_COUNT: usize = 10;
/// Bytes added up before the sum is added to one that is checked; 510 units for each fit 32 bits.
const BLOCK_BYTES: usize = 1 << 16;

/// Units of the bytes behind the byte before. Spec: EST-031.
pub(super) fn sum(table: &Table, before: u8, bytes: &[u8]) -> u64 {
    let mut before = class(before);
    let mut units = 0;
    for block in bytes.chunks(BLOCK_BYTES) {
        let mut block_units = 0_u32;
        for &byte in block {
            let now = class(byte);
            block_units = block_units.wrapping_add(u32::from(pair(table, before, now)));
            block_units = block_units.wrapping_add(u32::from(weight(table, byte)));
            before = now;
        }
        units += u64::from(block_units);
    }
    units
}

/// Units of one byte behind another. Spec: EST-031.
pub(super) fn one(table: &Table, before: u8, byte: u8) -> u64 {
    // [EST-031] a byte, and a pair of classes
    u64::from(weight(table, byte)) + u64::from(pair(table, class(before), class(byte)))
}

fn weight(table: &Table, byte: u8) -> u8 {
    at(&table.bytes, usize::from(byte))
}

fn pair(table: &Table, before: usize, now: usize) -> u8 {
    at(&table.pairs, before * CLASS_COUNT + now)
}

/// The class of a byte.
fn class(byte: u8) -> usize {
    usize::from(at(&CLASSES, usize::from(byte)))
}

/// An entry of a table. Every index that is asked for lies inside.
fn at<const ENTRIES: usize>(table: &[u8; ENTRIES], index: usize) -> u8 {
    table.get(index).copied().unwrap_or(0)
}
