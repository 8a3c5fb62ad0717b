//! A text and its size in each unit that a rule may name.
//!
//! Mirrors `keel_ref/text.py`. A text is a sequence of code points, any of which may be a surrogate. A surrogate counts
//! by itself, whatever stands beside it: one UTF-16 code unit, three UTF-8 bytes. So a high and a low surrogate held as
//! two code points are two units and six bytes, while the one code point that they would encode is two units and four
//! bytes.

use crate::utf8_input::{self, Part};

/// A text where it lies, in one of the ways in which Python keeps it, or as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text<'a> {
    /// Every code point lies below U+0080, one byte each.
    Ascii(&'a [u8]),
    /// Every code point lies below U+0100, one byte each. This is Latin-1, not UTF-8.
    OneByte(&'a [u8]),
    /// Every code point lies below U+10000, two bytes each. This is not UTF-16: a surrogate stands for itself.
    TwoByte(&'a [u16]),
    /// Four bytes each, surrogates allowed.
    FourByte(&'a [u32]),
    /// Bytes that are to be read as UTF-8. Each longest part of a broken character becomes one U+FFFD, and a byte order
    /// mark is a character like any other.
    Utf8Input(&'a [u8]),
}

/// How large one text is, in each unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextSizes {
    /// Bytes in UTF-8.
    pub utf8_bytes: u64,
    /// Code units in UTF-16; what JavaScript counts.
    pub utf16_units: u64,
    /// Code points; what Python counts.
    pub code_points: u64,
}

/// Code points from here on take two bytes in UTF-8.
const TWO_BYTES_FROM: u32 = 0x80;
/// Code points from here on take three bytes in UTF-8.
const THREE_BYTES_FROM: u32 = 0x800;
/// Code points from here on take four bytes in UTF-8 and two code units in UTF-16.
const FOUR_BYTES_FROM: u32 = 0x1_0000;
/// The first byte of a character of four bytes is at least this.
const LEAD_OF_FOUR_FROM: u8 = 0xF0;
/// What U+FFFD takes.
const REPLACEMENT: TextSizes = TextSizes { utf8_bytes: 3, utf16_units: 1, code_points: 1 };

/// Elements counted between two checked additions; a counter of 16 bits holds them.
const BLOCK_ELEMENTS: usize = 1 << 14;

/// Bytes of the text in UTF-8; three for a surrogate.
pub fn size_utf8(text: Text) -> u64 {
    match text {
        Text::Ascii(code_points) => count_elements(code_points),
        Text::OneByte(code_points) => {
            count_elements(code_points) + count_where(code_points, |c| u32::from(c) >= TWO_BYTES_FROM)
        }
        Text::TwoByte(code_points) => {
            count_elements(code_points)
                + count_where(code_points, |c| u32::from(c) >= TWO_BYTES_FROM)
                + count_where(code_points, |c| u32::from(c) >= THREE_BYTES_FROM)
        }
        Text::FourByte(code_points) => {
            count_elements(code_points)
                + count_where(code_points, |c| c >= TWO_BYTES_FROM)
                + count_where(code_points, |c| c >= THREE_BYTES_FROM)
                + count_where(code_points, |c| c >= FOUR_BYTES_FROM)
        }
        Text::Utf8Input(bytes) => size_utf8_input(bytes).utf8_bytes,
    }
}

/// Code units of the text in UTF-16; one for a surrogate, two for a code point from U+10000 on.
pub fn size_utf16(text: Text) -> u64 {
    match text {
        Text::Ascii(code_points) | Text::OneByte(code_points) => count_elements(code_points),
        Text::TwoByte(code_points) => count_elements(code_points),
        Text::FourByte(code_points) => count_elements(code_points) + count_where(code_points, |c| c >= FOUR_BYTES_FROM),
        Text::Utf8Input(bytes) => size_utf8_input(bytes).utf16_units,
    }
}

/// Code points of the text; one for a surrogate.
pub fn size_code_points(text: Text) -> u64 {
    match text {
        Text::Ascii(code_points) | Text::OneByte(code_points) => count_elements(code_points),
        Text::TwoByte(code_points) => count_elements(code_points),
        Text::FourByte(code_points) => count_elements(code_points),
        Text::Utf8Input(bytes) => size_utf8_input(bytes).code_points,
    }
}

/// The text's size in every unit at once.
pub fn size_text(text: Text) -> TextSizes {
    match text {
        Text::Utf8Input(bytes) => size_utf8_input(bytes),
        stored => TextSizes {
            utf8_bytes: size_utf8(stored),
            utf16_units: size_utf16(stored),
            code_points: size_code_points(stored),
        },
    }
}

/// Sizes of the text that the bytes become; the text itself is never made.
fn size_utf8_input(bytes: &[u8]) -> TextSizes {
    let mut sizes = TextSizes::default();
    for part in utf8_input::parts(bytes) {
        match part {
            Part::Sound(bytes) => {
                let characters = count_where(bytes, is_first_of_character);
                sizes.utf8_bytes += count_elements(bytes);
                sizes.utf16_units += characters + count_where(bytes, |byte| byte >= LEAD_OF_FOUR_FROM);
                sizes.code_points += characters;
            }
            Part::Broken => {
                sizes.utf8_bytes += REPLACEMENT.utf8_bytes;
                sizes.utf16_units += REPLACEMENT.utf16_units;
                sizes.code_points += REPLACEMENT.code_points;
            }
        }
    }
    sizes
}

/// In valid UTF-8 every byte but those of the form `10xxxxxx` begins a character.
fn is_first_of_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// The number of elements, in the type of the sizes.
fn count_elements<T>(elements: &[T]) -> u64 {
    elements.len() as u64
}

/// How many elements satisfy the condition.
///
/// Checked additions one by one would keep the compiler from counting many at once, so a block is counted with a
/// counter that it cannot fill, and only the counts of blocks are added up.
fn count_where<T: Copy>(elements: &[T], condition: impl Fn(T) -> bool) -> u64 {
    elements.chunks(BLOCK_ELEMENTS).map(|block| u64::from(count_block(block, &condition))).sum()
}

/// [`count_where`] in one block of at most [`BLOCK_ELEMENTS`].
fn count_block<T: Copy>(block: &[T], condition: &impl Fn(T) -> bool) -> u16 {
    const { assert!(BLOCK_ELEMENTS <= u16::MAX as usize) };
    block.iter().fold(0_u16, |count, &element| count.wrapping_add(u16::from(condition(element))))
}
