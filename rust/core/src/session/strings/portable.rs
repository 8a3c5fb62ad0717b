//! Strings by what every machine has: eight bytes of a word at a time, and one by one where something is special.

use super::{Losses, Scanned, Strings};

/// Bytes in a word.
const WORD_BYTES: usize = 8;
/// One in each byte.
const ONES: u64 = u64::from_ne_bytes([1; WORD_BYTES]);
/// The uppermost bit of each byte.
const UPPERMOST: u64 = ONES << 7;

/// A word at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Strings for Portable {
    fn find_special(self, bytes: &[u8], start: usize) -> usize {
        let (words, rest) = bytes.get(start..).unwrap_or_default().as_chunks();
        for (place, word) in words.iter().enumerate() {
            let specials = specials(u64::from_le_bytes(*word));
            if specials != 0 {
                return start + place * WORD_BYTES + specials.trailing_zeros() as usize / WORD_BYTES;
            }
        }
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..);
        bytes.len() - rest.len() + rest.iter().position(special).unwrap_or(rest.len())
    }

    fn scan(self, bytes: &[u8], start: usize, mut at: usize) -> Option<Scanned> {
        let mut losses = Losses::default();
        let mut continuations = 0;
        let mut fours = 0;
        let mut found = Scanned::default();
        loop {
            at = self.find_special(bytes, at);
            match *bytes.get(at)? {
                b'"' => break,
                0..0x20 => return None,
                b'\\' => {
                    found.is_escaped = true;
                    at += 1;
                    losses.text += 1;
                    match *bytes.get(at)? {
                        b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                        b'/' => {
                            found.is_rewritten = true;
                            losses.form += 1;
                        }
                        b'u' => {
                            found.is_rewritten = true;
                            losses.add_code_unit(bytes, at + 1)?;
                        }
                        _ => return None,
                    }
                }
                beyond => {
                    found.is_beyond_ascii = true;
                    continuations += u64::from(beyond < 0xC0);
                    fours += u64::from(beyond >= 0xF0);
                }
            }
            at += 1;
        }
        let units = (at - start) as u64 - continuations + fours;
        found.end = at;
        found.text_units = units - losses.text;
        found.form_units = units - losses.form;
        Some(found)
    }
}

/// The uppermost bit of the first byte that is special, and perhaps of later ones.
///
/// A byte less n borrows from its uppermost bit if it is below n; what it borrows from the byte behind can only put a mark
/// too many, behind a byte that has one.
fn specials(word: u64) -> u64 {
    let quotes = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
    let backslashes = (word ^ (ONES * 0x5C)).wrapping_sub(ONES);
    let controls = word.wrapping_sub(ONES * 0x20);
    // Where the byte itself has its uppermost bit it is beyond ASCII, and special.
    (quotes | backslashes | controls | word) & UPPERMOST
}
