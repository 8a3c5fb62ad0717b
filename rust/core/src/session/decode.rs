//! The text of a string with escapes, in parts. Spec: EST-010, EST-031.

use memchr::memchr;

use super::strings::hexadecimal;
use super::tree_count::{escaped, needs_escape};

/// Bytes that are handed on at once.
const BUFFER_BYTES: usize = 2_048;
/// Bytes that one character, or one escape, takes at most.
const CHARACTER_BYTES: usize = 6;

/// What becomes of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The text itself.
    Text,
    /// The text as the serialised form writes it, without quotes.
    Serialised,
}

/// Hands the text of a sound string to the receiver, in parts; UTF-8 with each lone surrogate as three bytes.
pub(super) fn decode(raw: &[u8], form: Form, receive: impl FnMut(&[u8])) {
    let mut out = Out { buffer: [0; BUFFER_BYTES], filled: 0, receive };
    let mut rest = raw;
    while let Some(place) = memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at(place);
        out.push(plain);
        let taken = match escape.get(1) {
            Some(b'u') => out.push_code_point(escape, form),
            letter => {
                out.push_unit(u32::from(unescaped(letter.copied().unwrap_or_default())), form);
                2
            }
        };
        rest = escape.get(taken..).unwrap_or_default();
    }
    out.push(rest);
    out.flush();
}

/// What the letter behind a backslash stands for.
fn unescaped(letter: u8) -> u8 {
    match letter {
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        itself => itself,
    }
}

/// Gathers small parts.
struct Out<F> {
    buffer: [u8; BUFFER_BYTES],
    filled: usize,
    receive: F,
}

impl<F: FnMut(&[u8])> Out<F> {
    fn push(&mut self, part: &[u8]) {
        if let Some(room) = self.buffer.get_mut(self.filled..self.filled + part.len()) {
            room.copy_from_slice(part);
            self.filled += part.len();
            return;
        }
        self.flush();
        if part.len() > BUFFER_BYTES / 2 {
            (self.receive)(part);
        } else if let Some(room) = self.buffer.get_mut(..part.len()) {
            room.copy_from_slice(part);
            self.filled = part.len();
        }
    }

    fn flush(&mut self) {
        (self.receive)(self.buffer.get(..self.filled).unwrap_or_default());
        self.filled = 0;
    }

    /// Adds the character of a `\u`, or of two that are halves of one; gives how many bytes they took.
    fn push_code_point(&mut self, escape: &[u8], form: Form) -> usize {
        let unit = u32::from(hexadecimal(escape, 2).unwrap_or_default());
        if (0xD800..0xDC00).contains(&unit)
            && escape.get(6..8) == Some(b"\\u")
            && let Some(low @ 0xDC00..0xE000) = hexadecimal(escape, 8)
        {
            self.push_unit(0x1_0000 + ((unit & 0x3FF) << 10) + (u32::from(low) & 0x3FF), form);
            return 12;
        }
        self.push_unit(unit, form);
        6
    }

    fn push_unit(&mut self, code_point: u32, form: Form) {
        let mut bytes = [0; CHARACTER_BYTES];
        let size = match (u8::try_from(code_point), form) {
            (Ok(byte), Form::Serialised) if needs_escape(byte) => {
                let (escape, size) = escaped(byte);
                bytes = escape;
                size
            }
            _ => encode(code_point, &mut bytes),
        };
        self.push(bytes.get(..size).unwrap_or_default());
    }
}

/// Writes the UTF-8 form of a code point, in which a surrogate has three bytes; gives how many bytes it has.
pub(super) fn encode(code_point: u32, bytes: &mut [u8; CHARACTER_BYTES]) -> usize {
    if let Some(character) = char::from_u32(code_point) {
        return character.encode_utf8(bytes).len();
    }
    let [_, _, high, low] = code_point.to_be_bytes();
    *bytes = [0xE0 | high >> 4, 0x80 | (high & 0x0F) << 2 | low >> 6, 0x80 | low & 0x3F, 0, 0, 0];
    3
}
