//! Texts that are not kept in UTF-8, brought into it piece by piece in a buffer on the stack.

use super::Running;

/// Bytes of UTF-8 gathered before they are summed up.
const BUFFER_BYTES: usize = 1 << 10;
/// What one code point takes at most.
const LONGEST_BYTES: usize = 4;
/// Code points whose UTF-8 form fits the buffer, whatever they are.
const PIECE_CODE_POINTS: usize = BUFFER_BYTES / LONGEST_BYTES;

/// Bytes of UTF-8 on the stack.
struct Buffer {
    bytes: [u8; BUFFER_BYTES],
    filled: usize,
}

impl Buffer {
    fn new() -> Self {
        Self { bytes: [0; BUFFER_BYTES], filled: 0 }
    }

    /// Adds one code point, which may be a surrogate; that takes three bytes.
    fn add(&mut self, code_point: u32) {
        let [_, _, _, lowest] = code_point.to_be_bytes();
        let continued = |shift: u32| 0x80 | ((code_point >> shift) & 0x3F).to_be_bytes()[3];
        let lead = |marks: u8, shift: u32| marks | (code_point >> shift).to_be_bytes()[3];
        match code_point {
            0..0x80 => self.put(&[lowest]),
            0x80..0x800 => self.put(&[lead(0xC0, 6), continued(0)]),
            0x800..0x1_0000 => self.put(&[lead(0xE0, 12), continued(6), continued(0)]),
            _ => self.put(&[lead(0xF0, 18), continued(12), continued(6), continued(0)]),
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        let end = self.filled + bytes.len();
        if let Some(place) = self.bytes.get_mut(self.filled..end) {
            place.copy_from_slice(bytes);
            self.filled = end;
        }
    }

    /// Hands over what was gathered and begins anew.
    fn hand_over(&mut self, running: &mut Running) {
        running.push_utf8(self.bytes.get(..self.filled).unwrap_or_default());
        self.filled = 0;
    }
}

/// Adds a text of Latin-1. What is ASCII in it is summed up where it lies.
pub(super) fn push_one_byte(running: &mut Running, code_points: &[u8]) {
    let mut buffer = Buffer::new();
    for piece in code_points.chunks(PIECE_CODE_POINTS) {
        if piece.is_ascii() {
            running.push_utf8(piece);
            continue;
        }
        for &code_point in piece {
            buffer.add(u32::from(code_point));
        }
        buffer.hand_over(running);
    }
}

/// Adds a text of two or four bytes for each code point.
pub(super) fn push_wide<T: Copy + Into<u32>>(running: &mut Running, code_points: &[T]) {
    let mut buffer = Buffer::new();
    for piece in code_points.chunks(PIECE_CODE_POINTS) {
        for &code_point in piece {
            buffer.add(code_point.into());
        }
        buffer.hand_over(running);
    }
}
