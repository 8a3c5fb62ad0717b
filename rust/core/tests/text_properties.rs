//! What holds of the sizes of every text.

use keel_core::text::{Text, TextSizes, size_code_points, size_text, size_utf8, size_utf16};
use proptest::collection::vec;
use proptest::prelude::*;

/// The definition, one code point at a time.
fn literal_sizes(code_points: &[u32]) -> TextSizes {
    let mut sizes = TextSizes::default();
    for &code_point in code_points {
        sizes.code_points += 1;
        sizes.utf16_units += if code_point < 0x1_0000 { 1 } else { 2 };
        sizes.utf8_bytes += match code_point {
            0..0x80 => 1,
            0x80..0x800 => 2,
            0x800..0x1_0000 => 3,
            _ => 4,
        };
    }
    sizes
}

/// Each width of code point equally often, surrogates included.
fn code_point() -> impl Strategy<Value = u32> {
    prop_oneof![0..0x80_u32, 0x80..0x800_u32, 0x800..0x1_0000_u32, 0xD800..0xE000_u32, 0x1_0000..0x11_0000_u32]
}

/// Bytes that are nearly UTF-8: whole characters, cut ones, and bytes at random.
fn nearly_utf8() -> impl Strategy<Value = Vec<u8>> {
    let whole = any::<String>().prop_map(String::into_bytes);
    let cut = any::<char>().prop_map(|character| {
        let mut bytes = character.to_string().into_bytes();
        bytes.pop();
        bytes
    });
    vec(prop_oneof![whole, cut, vec(any::<u8>(), 0..4)], 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Four bytes a code point: the definition.
    #[test]
    fn four_byte_storage_has_the_defined_sizes(code_points in vec(code_point(), 0..64)) {
        prop_assert_eq!(literal_sizes(&code_points), size_text(Text::FourByte(&code_points)));
    }

    /// The storage that Python picks does not change a size.
    #[test]
    fn two_byte_storage_has_the_sizes_of_four(code_points in vec(any::<u16>(), 0..64)) {
        let wide: Vec<u32> = code_points.iter().copied().map(u32::from).collect();
        prop_assert_eq!(size_text(Text::FourByte(&wide)), size_text(Text::TwoByte(&code_points)));
    }

    /// The storage that Python picks does not change a size.
    #[test]
    fn one_byte_storage_has_the_sizes_of_two(code_points in vec(any::<u8>(), 0..64)) {
        let wide: Vec<u16> = code_points.iter().copied().map(u16::from).collect();
        prop_assert_eq!(size_text(Text::TwoByte(&wide)), size_text(Text::OneByte(&code_points)));
    }

    /// A text that Python marks as ASCII is one of those with a byte each.
    #[test]
    fn ascii_storage_has_the_sizes_of_one_byte(code_points in vec(0..0x80_u8, 0..64)) {
        prop_assert_eq!(size_text(Text::OneByte(&code_points)), size_text(Text::Ascii(&code_points)));
    }

    /// The sizes one by one are the sizes at once.
    #[test]
    fn each_function_gives_its_part(code_points in vec(code_point(), 0..64), bytes in nearly_utf8()) {
        for text in [Text::FourByte(&code_points), Text::Utf8Input(&bytes)] {
            let one_by_one = TextSizes {
                utf8_bytes: size_utf8(text),
                utf16_units: size_utf16(text),
                code_points: size_code_points(text),
            };
            prop_assert_eq!(size_text(text), one_by_one);
        }
    }

    /// Bytes have the sizes of the text that a lossy reader makes of them.
    #[test]
    fn bytes_have_the_sizes_of_the_text_they_become(bytes in nearly_utf8()) {
        let text = String::from_utf8_lossy(&bytes);
        let code_points: Vec<u32> = text.chars().map(u32::from).collect();
        prop_assert_eq!(literal_sizes(&code_points), size_text(Text::Utf8Input(&bytes)));
    }
}

/// Blocks are counted one by one; their edges lose and double nothing.
#[test]
fn sizes_add_up_over_many_blocks() {
    let repeats = 40_000;
    let code_points: Vec<u32> = [0x41, 0xE9, 0xD800, 0x1_F600].repeat(repeats);

    let expected = TextSizes { utf8_bytes: 10 * 40_000, utf16_units: 5 * 40_000, code_points: 4 * 40_000 };
    assert_eq!(expected, size_text(Text::FourByte(&code_points)));
}
