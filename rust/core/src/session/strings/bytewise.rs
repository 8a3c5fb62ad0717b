//! Strings one byte at a time, on every machine.

use super::{Losses, Scanned, Strings};

/// One byte at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytewise;

impl Strings for Bytewise {
    fn find_special(self, bytes: &[u8], start: usize) -> usize {
        let rest = bytes.get(start..).unwrap_or_default();
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..);
        start + rest.iter().position(special).unwrap_or(rest.len())
    }

    fn scan(self, bytes: &[u8], start: usize, mut at: usize) -> Option<Scanned> {
        let mut losses = Losses::default();
        let mut continuations = 0;
        let mut fours = 0;
        let mut found = Scanned::default();
        loop {
            match *bytes.get(at)? {
                b'"' => break,
                0..0x20 => return None,
                b'\\' => {
                    found.is_escaped = true;
                    at += 1;
                    match *bytes.get(at)? {
                        b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => losses.text += 1,
                        b'/' => {
                            losses.text += 1;
                            losses.form += 1;
                        }
                        b'u' => {
                            losses.text += 1;
                            losses.add_code_unit(bytes, at + 1)?;
                        }
                        _ => return None,
                    }
                }
                0x80..0xC0 => continuations += 1,
                0xF0.. => fours += 1,
                _ => {}
            }
            found.is_beyond_ascii |= *bytes.get(at)? >= 0x80;
            at += 1;
        }
        let units = (at - start) as u64 - continuations + fours;
        found.end = at;
        found.text_units = units - losses.text;
        found.form_units = units - losses.form;
        Some(found)
    }
}
