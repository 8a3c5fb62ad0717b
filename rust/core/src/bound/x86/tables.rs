//! The tables of the sum in the forms that vector instructions look up.

use super::super::scalar::CLASS_COUNT;
use crate::weights::{CLASSES, Table};

/// The values of a byte that are ASCII.
pub(super) const ASCII: usize = 128;
/// Classes that ASCII bytes have, as they are numbered among one another.
const ASCII_CLASSES: [usize; 8] = [0, 1, 2, 3, 4, 5, 8, 9];
/// Pairs of them; an index of six bits.
pub(super) const ASCII_PAIRS: usize = ASCII_CLASSES.len() * ASCII_CLASSES.len();
/// The table of all pairs, filled up to what seven bits can name.
pub(super) const ALL_PAIRS: usize = 128;

/// The number of each ASCII byte's class in [`ASCII_CLASSES`].
pub(super) static ASCII_NOW: [u8; ASCII] = ascii_codes(1);
/// The same eight times, for the byte before.
pub(super) static ASCII_BEFORE: [u8; ASCII] = ascii_codes(8);
/// The class of each ASCII byte.
pub(super) static CLASS_NOW: [u8; ASCII] = ascii_classes(1);
/// The same ten times, for the byte before.
pub(super) static CLASS_BEFORE: [u8; ASCII] = ascii_classes(10);

/// What pairs of ASCII bytes weigh, at eight times the number before plus the number now.
pub(super) fn ascii_pairs(table: &Table) -> [u8; ASCII_PAIRS] {
    let mut pairs = [0; ASCII_PAIRS];
    let rows = ASCII_CLASSES.map(|class| class * CLASS_COUNT);
    for (of_row, row) in pairs.chunks_exact_mut(ASCII_CLASSES.len()).zip(rows) {
        for (pair, class) in of_row.iter_mut().zip(ASCII_CLASSES) {
            *pair = table.pairs.get(row + class).copied().unwrap_or(0);
        }
    }
    pairs
}

/// What pairs weigh, at ten times the class before plus the class now.
pub(super) fn all_pairs(table: &Table) -> [u8; ALL_PAIRS] {
    let mut pairs = [0; ALL_PAIRS];
    for (pair, &weight) in pairs.iter_mut().zip(&table.pairs) {
        *pair = weight;
    }
    pairs
}

/// Both halves of a table.
pub(super) fn halves<const WHOLE: usize, const HALF: usize>(table: &[u8; WHOLE]) -> [&[u8; HALF]; 2] {
    const { assert!(WHOLE == 2 * HALF) };
    let (halves, _) = table.as_chunks::<HALF>();
    match halves {
        [low, high] => [low, high],
        _ => [&[0; HALF]; 2], // never; the sizes were compared
    }
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn ascii_classes(times: u8) -> [u8; ASCII] {
    let mut classes = [0; ASCII];
    let mut byte = 0;
    while byte < ASCII {
        classes[byte] = times * CLASSES[byte];
        byte += 1;
    }
    classes
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn ascii_codes(times: u8) -> [u8; ASCII] {
    let mut codes = [0; ASCII];
    let mut byte = 0;
    while byte < ASCII {
        let mut code = 0;
        while ASCII_CLASSES[code as usize] != CLASSES[byte] as usize {
            code += 1;
        }
        codes[byte] = times * code;
        byte += 1;
    }
    codes
}
