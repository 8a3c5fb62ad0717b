//! What holds of the bound of every text.

use keel_core::bound::{Running, tokens};
use keel_core::text::Text;
use keel_core::weights::{CLASSES, FAMILIES, Table, UNIT};
use proptest::collection::vec;
use proptest::prelude::*;

/// The definition, one byte at a time, a line feed before the first. Spec: EST-031.
fn literal_units(table: &Table, bytes: &[u8]) -> u64 {
    let class = |byte: u8| usize::from(CLASSES.get(usize::from(byte)).copied().unwrap_or(0));
    let before = [b'\n'].into_iter().chain(bytes.iter().copied());
    before
        .zip(bytes)
        .map(|(before, &byte)| {
            let weight = table.bytes.get(usize::from(byte)).copied().unwrap_or(0);
            let pair = table.pairs.get(10 * class(before) + class(byte)).copied().unwrap_or(0);
            u64::from(weight) + u64::from(pair)
        })
        .sum()
}

/// The UTF-8 form of code points, a surrogate as three bytes.
fn utf8_form(code_points: &[u32]) -> Vec<u8> {
    let mut form = Vec::new();
    for &code_point in code_points {
        match char::from_u32(code_point) {
            Some(character) => form.extend_from_slice(character.to_string().as_bytes()),
            None => form
                .extend([0xE0 | (code_point >> 12), 0x80 | (code_point >> 6 & 63), 0x80 | (code_point & 63)].map(low)),
        }
    }
    form
}

fn low(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(0)
}

fn code_point() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => 0..0x80_u32,
        1 => 0x80..0x800_u32,
        1 => 0x800..0x1_0000_u32,
        1 => 0xD800..0xE000_u32,
        1 => 0x1_0000..0x11_0000_u32,
    ]
}

/// Which of the tables.
fn family() -> impl Strategy<Value = usize> {
    0..FAMILIES.len()
}

fn table_of(family: usize) -> &'static Table {
    &FAMILIES.get(family).unwrap_or(&FAMILIES[0]).1
}

fn units(table: &Table, text: Text) -> u64 {
    let mut running = Running::new(table);
    running.push(text);
    running.units()
}

proptest! {
    /// Four bytes a code point: the definition over the UTF-8 form.
    #[test]
    fn four_byte_storage_has_the_defined_sum(family in family(), code_points in vec(code_point(), 0..600)) {
        let table = table_of(family);
        prop_assert_eq!(literal_units(table, &utf8_form(&code_points)), units(table, Text::FourByte(&code_points)));
    }

    /// The storage that Python picks does not change the sum.
    #[test]
    fn two_byte_storage_has_the_sum_of_four(family in family(), code_points in vec(any::<u16>(), 0..600)) {
        let table = table_of(family);
        let wide: Vec<u32> = code_points.iter().copied().map(u32::from).collect();
        prop_assert_eq!(units(table, Text::FourByte(&wide)), units(table, Text::TwoByte(&code_points)));
    }

    /// The storage that Python picks does not change the sum.
    #[test]
    fn one_byte_storage_has_the_sum_of_two(family in family(), code_points in vec(any::<u8>(), 0..600)) {
        let table = table_of(family);
        let wide: Vec<u16> = code_points.iter().copied().map(u16::from).collect();
        prop_assert_eq!(units(table, Text::TwoByte(&wide)), units(table, Text::OneByte(&code_points)));
    }

    /// Bytes have the sum of the text that a lossy reader makes of them.
    #[test]
    fn bytes_have_the_sum_of_the_text_they_become(family in family(), bytes in vec(any::<u8>(), 0..300)) {
        let table = table_of(family);
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(literal_units(table, text.as_bytes()), units(table, Text::Utf8Input(&bytes)));
    }

    /// A text may be cut anywhere, and a byte may come alone.
    #[test]
    fn parts_add_up_to_the_whole(family in family(), parts in vec(vec(any::<u8>(), 0..80), 0..8), single in any::<u8>()) {
        let table = table_of(family);
        let mut running = Running::new(table);
        let mut whole = Vec::new();
        for part in &parts {
            running.push_utf8(part);
            running.push_byte(single);
            whole.extend_from_slice(part);
            whole.push(single);
        }
        prop_assert_eq!(literal_units(table, &whole), running.units());
    }

    /// Tokens are the units rounded up once.
    #[test]
    fn tokens_are_units_rounded_up(family in family(), bytes in vec(0..0x80_u8, 0..300)) {
        let table = table_of(family);
        prop_assert_eq!(literal_units(table, &bytes).div_ceil(UNIT), tokens(Text::Ascii(&bytes), table));
    }
}
