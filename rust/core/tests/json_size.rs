//! The pieces of a serialised form: together they are the form that others write, and their sizes are its size.

use keel_core::bound::Running;
use keel_core::json_size::{Sink, Units, each_piece, number};
use keel_core::rounds::{Grouper, Row};
use keel_core::text::{Text, size_utf16};
use keel_core::weights::FAMILIES;
use proptest::prelude::*;

/// A sink that keeps what it takes, as UTF-8.
#[derive(Default)]
struct Kept(Vec<u8>);

impl Sink for Kept {
    fn plain(&mut self, piece: &[u8]) {
        self.0.extend_from_slice(piece);
    }

    fn text(&mut self, text: Text) {
        if let Text::Utf8Input(bytes) | Text::Ascii(bytes) = text {
            self.0.extend_from_slice(bytes);
        }
    }

    fn quoted(&mut self, text: Text) {
        self.0.push(b'"');
        each_piece(text, |piece, escape| {
            self.text(piece);
            self.0.extend_from_slice(escape);
        });
        self.0.push(b'"');
    }
}

/// Texts with much to escape, also longer than what is looked at side by side.
fn texts() -> impl Strategy<Value = String> {
    ("(\\PC|[\\x00-\\x7f]|[\"\\\\\\n]){0,90}", 0..900_usize).prop_map(|(text, pad)| "x".repeat(pad) + &text)
}

proptest! {
    #[test]
    fn escapes_are_those_of_others(text in texts()) {
        let mut kept = Kept::default();
        kept.quoted(Text::Utf8Input(text.as_bytes()));
        let expected = serde_json::to_string(&text).unwrap_or_default();

        prop_assert_eq!(expected, String::from_utf8_lossy(&kept.0));
    }

    #[test]
    fn units_are_those_of_the_form(text in texts()) {
        let form = serde_json::to_string(&text).unwrap_or_default();
        let wide: Vec<u32> = text.chars().map(u32::from).collect();
        for stored in [Text::Utf8Input(text.as_bytes()), Text::FourByte(&wide)] {
            let mut units = Units::default();
            units.quoted(stored);

            prop_assert_eq!(size_utf16(Text::Utf8Input(form.as_bytes())), units.0);
        }
    }

    #[test]
    fn the_bound_is_that_of_the_form(text in texts()) {
        let form = serde_json::to_string(&text).unwrap_or_default();
        for (_, table) in &FAMILIES {
            let (mut pieces, mut whole) = (Running::new(table), Running::new(table));
            pieces.quoted(Text::Utf8Input(text.as_bytes()));
            whole.push_utf8(form.as_bytes());

            prop_assert_eq!(whole.units(), pieces.units());
        }
    }

    #[test]
    fn numbers_read_back_as_themselves(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        let (mut kept, mut units) = (Kept::default(), Units::default());
        number(&mut kept, value);
        number(&mut units, value);
        let form = String::from_utf8_lossy(&kept.0).into_owned();

        prop_assert_eq!(form.len() as u64, units.0);
        let reads_back = form.parse() == Ok(value) || (!value.is_finite() && form == "null");
        prop_assert!(reads_back);
    }

    #[test]
    fn digits_are_counted_without_being_written(value in any::<i64>(), shift in 0..64_u32) {
        let (mut kept, mut units) = (Kept::default(), Units::default());
        kept.whole(value >> shift);
        units.whole(value >> shift);

        prop_assert_eq!((value >> shift).to_string(), String::from_utf8_lossy(&kept.0));
        prop_assert_eq!(kept.0.len() as u64, units.0);
    }

    #[test]
    fn a_round_opens_where_the_id_changes(ids in prop::collection::vec(prop::option::of(0..3_u8), 1..20)) {
        let mut grouper = Grouper::default();
        let opened: Vec<bool> = ids.iter().map(|&id| grouper.add(Row::Assistant(id))).collect();

        prop_assert!(opened.first() == Some(&true));
        for (pair, &opens) in ids.windows(2).zip(opened.iter().skip(1)) {
            prop_assert_eq!(opens, pair.last() == Some(&None) || pair.first() != pair.last());
        }
    }
}
