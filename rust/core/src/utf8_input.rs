//! Bytes that are to be read as UTF-8, taken apart into what is sound and what is not.

use simdutf8::compat::from_utf8;

/// Bytes read at once, so that they are still in the cache when somebody looks at them again.
const PIECE_BYTES: usize = 1 << 13;

/// A part of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Whole characters.
    Sound(&'a [u8]),
    /// One longest part of a broken character; it is read as U+FFFD.
    Broken,
}

/// The parts in their order; what is sound may come in several pieces.
pub fn parts(bytes: &[u8]) -> impl Iterator<Item = Part<'_>> {
    let mut rest = bytes;
    let mut is_broken_next = false;
    std::iter::from_fn(move || {
        if std::mem::take(&mut is_broken_next) {
            return Some(Part::Broken);
        }
        let piece = rest.get(..PIECE_BYTES).unwrap_or(rest);
        if piece.is_empty() {
            return None;
        }
        let (sound, read) = match from_utf8(piece) {
            Ok(_) => (piece.len(), piece.len()),
            Err(error) => {
                let sound = error.valid_up_to();
                let is_cut_by_us = error.error_len().is_none() && piece.len() < rest.len();
                is_broken_next = !is_cut_by_us; // what we cut is read again with what follows
                let broken = error.error_len().unwrap_or(piece.len() - sound);
                (sound, if is_cut_by_us { sound } else { sound + broken })
            }
        };
        rest = rest.get(read..).unwrap_or_default();
        Some(Part::Sound(piece.get(..sound).unwrap_or_default()))
    })
}
