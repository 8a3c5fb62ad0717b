//! The class of an ASCII byte by four look-ups in tables of 16 bytes.
//!
//! The numbers were found by a solver for this equation, which the compiler checks for every byte:
//! `BY_KEY[BY_LOW[low] & BY_EIGHTS[eights]] ^ MENDED[eights]` is the code of a byte, with its lower four bits and its
//! upper four of seven; where the key has its highest bit set, `BY_KEY` gives nothing.

use super::super::scalar::CLASS_COUNT;
use super::tables::{ASCII, ASCII_PAIRS};
use crate::weights::{CLASSES, Table};

/// Bytes in a table that one instruction looks up.
pub(super) const ROW_BYTES: usize = 16;
/// Classes that an ASCII byte can have; as many codes.
const CODES: usize = 8;

pub(super) static BY_LOW: [u8; ROW_BYTES] = [14, 141, 137, 137, 137, 13, 137, 139, 10, 11, 138, 143, 143, 15, 15, 141];
pub(super) static BY_EIGHTS: [u8; ROW_BYTES] = [0, 0, 0, 0, 3, 143, 8, 141, 143, 139, 4, 14, 13, 7, 138, 6];
pub(super) static BY_KEY: [u8; ROW_BYTES] = [15, 11, 12, 8, 15, 8, 10, 12, 4, 4, 0, 0, 2, 0, 1, 3];
pub(super) static MENDED: [u8; ROW_BYTES] = [14, 14, 14, 14, 15, 4, 4, 4, 5, 5, 10, 5, 6, 14, 2, 14];

/// The class that each code stands for.
pub(super) static CLASS_OF_CODE: [u8; ROW_BYTES] = [3, 5, 1, 4, 9, 2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0];
/// The code of each ASCII byte.
pub(super) static CODE_OF_BYTE: [u8; ASCII] = codes();

const _: () = assert!(every_code_stands_for_its_class());

/// What pairs of ASCII bytes weigh, at eight times the code before plus the code now.
pub(super) fn pairs(table: &Table) -> [u8; ASCII_PAIRS] {
    let mut pairs = [0; ASCII_PAIRS];
    for (of_row, &before) in pairs.chunks_exact_mut(CODES).zip(&CLASS_OF_CODE) {
        for (pair, &now) in of_row.iter_mut().zip(&CLASS_OF_CODE) {
            *pair = table.pairs.get(CLASS_COUNT * usize::from(before) + usize::from(now)).copied().unwrap_or(0);
        }
    }
    pairs
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn codes() -> [u8; ASCII] {
    let mut codes = [0; ASCII];
    let mut byte = 0;
    while byte < ASCII {
        let key = BY_LOW[byte % ROW_BYTES] & BY_EIGHTS[byte / 8];
        let by_key = if key < 0x80 { BY_KEY[key as usize % ROW_BYTES] } else { 0 };
        codes[byte] = by_key ^ MENDED[byte / 8];
        byte += 1;
    }
    codes
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn every_code_stands_for_its_class() -> bool {
    let mut byte = 0;
    while byte < ASCII {
        let code = CODE_OF_BYTE[byte] as usize;
        if code >= CODES || CLASS_OF_CODE[code] != CLASSES[byte] {
            return false;
        }
        byte += 1;
    }
    true
}
