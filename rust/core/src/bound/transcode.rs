//! Texts that are not kept in UTF-8, brought into it piece by piece in a buffer on the stack.

use super::{Path, Running};

/// What one code point takes at most.
const LONGEST_BYTES: usize = 4;
/// Code points brought into UTF-8 at once.
const PIECE_CODE_POINTS: usize = 256;
/// What a path may write beyond the bytes that count.
const SLACK_BYTES: usize = 64;
/// Bytes of the buffer.
const BUFFER_BYTES: usize = PIECE_CODE_POINTS * LONGEST_BYTES + SLACK_BYTES;

/// Adds a text of Latin-1. What is ASCII in it is summed up where it lies.
pub(super) fn push_one_byte(running: &mut Running, code_points: &[u8]) {
    let mut buffer = [0; BUFFER_BYTES];
    for piece in code_points.chunks(PIECE_CODE_POINTS) {
        if piece.is_ascii() {
            running.push_utf8(piece);
        } else {
            push_piece(running, piece, &mut buffer);
        }
    }
}

/// Adds a text of two or four bytes for each code point.
pub(super) fn push_wide<T: Copy + Into<u32>>(running: &mut Running, code_points: &[T]) {
    let mut buffer = [0; BUFFER_BYTES];
    for piece in code_points.chunks(PIECE_CODE_POINTS) {
        push_piece(running, piece, &mut buffer);
    }
}

fn push_piece<T: Copy + Into<u32>>(running: &mut Running, piece: &[T], buffer: &mut [u8; BUFFER_BYTES]) {
    let filled = encode(running.path, piece, buffer);
    running.push_utf8(buffer.get(..filled).unwrap_or_default());
}

/// Writes the UTF-8 form of the code points, a surrogate as three bytes, and says how many bytes it takes.
fn encode<T: Copy + Into<u32>>(path: Path, piece: &[T], buffer: &mut [u8; BUFFER_BYTES]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if path == Path::Avx512
        && let Some(filled) = super::x86::encode_avx512(piece, buffer)
    {
        return filled;
    }
    let _ = path; // elsewhere there is only one
    let mut filled = 0;
    for &code_point in piece {
        let (form, size) = utf8_form(code_point.into());
        if let Some(place) = buffer.get_mut(filled..).and_then(|rest| rest.first_chunk_mut()) {
            *place = form;
            filled += size;
        }
    }
    filled
}

/// The UTF-8 form of a code point, and how many of the bytes it takes.
fn utf8_form(code_point: u32) -> ([u8; LONGEST_BYTES], usize) {
    let [_, _, _, lowest] = code_point.to_be_bytes();
    let part = |shift: u32| {
        let [.., lowest] = (code_point >> shift).to_be_bytes();
        lowest
    };
    let continued = |shift: u32| 0x80 | (part(shift) & 0x3F);
    match code_point {
        0..0x80 => ([lowest, 0, 0, 0], 1),
        0x80..0x800 => ([0xC0 | part(6), continued(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xE0 | part(12), continued(6), continued(0), 0], 3),
        _ => ([0xF0 | part(18), continued(12), continued(6), continued(0)], 4),
    }
}
