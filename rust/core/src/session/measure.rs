//! The two methods as one thing: what texts and blocks cost. Mirrors `keel_ref/tokens/measures.py`.

use super::decode::{Form, decode};
use super::strings::Scanned;
use crate::bound::Running;
use crate::weights::Table;

/// By which of the two methods. Spec: EST-001, EST-030.
#[derive(Clone, Copy)]
pub enum Method<'t> {
    /// The rule of the described client.
    Documented,
    /// The bound of one family.
    Bound(&'t Table),
}

/// Units of UTF-16 in one token, by the documented rule.
const RATIO_UNITS: u64 = 4;
/// An image or document, by the documented rule.
const IMAGE_TOKENS: u64 = 2_000;
/// What the walk over blocks asks a method.
pub(super) trait Measure: Copy {
    /// One text as far as it has been seen.
    type Sum;
    /// Whether a call is measured as three texts, and ids count at all. Spec: EST-007, EST-032.
    const COUNTS_IDS: bool;

    /// Tokens that a row adds by itself.
    fn row(self) -> u64;
    /// Tokens that a block which is no text adds by itself.
    fn block(self) -> u64;
    /// Tokens of an image or document.
    fn media(self) -> u64;
    /// The empty text.
    fn empty(self) -> Self::Sum;
    /// Adds to the end of the text; UTF-8, with surrogates as three bytes.
    fn push(self, sum: &mut Self::Sum, part: &[u8]);
    /// Adds the text of a string that was scanned.
    fn push_text(self, sum: &mut Self::Sum, raw: &[u8], scanned: &Scanned);
    /// Adds the serialised form of a string that was scanned. Spec: EST-010.
    fn push_form(self, sum: &mut Self::Sum, raw: &[u8], scanned: &Scanned);
    /// What the text costs.
    fn tokens(self, sum: &Self::Sum) -> u64;

    /// What one text costs.
    fn text(self, text: &[u8]) -> u64 {
        let mut sum = self.empty();
        self.push(&mut sum, text);
        self.tokens(&sum)
    }
}

/// The documented rule: size over four, rounded half up.
#[derive(Clone, Copy)]
pub(super) struct RoughMeasure;

impl Measure for RoughMeasure {
    /// Units of UTF-16.
    type Sum = u64;
    const COUNTS_IDS: bool = false;

    fn row(self) -> u64 {
        0 // [EST-024]
    }

    fn block(self) -> u64 {
        0 // [EST-024]
    }

    fn media(self) -> u64 {
        IMAGE_TOKENS // [EST-011]
    }

    fn empty(self) -> u64 {
        0
    }

    fn push(self, sum: &mut u64, part: &[u8]) {
        *sum += size_utf16(part);
    }

    fn push_text(self, sum: &mut u64, _: &[u8], scanned: &Scanned) {
        *sum += scanned.text_units; // [EST-005]
    }

    fn push_form(self, sum: &mut u64, _: &[u8], scanned: &Scanned) {
        *sum += scanned.form_units + 2; // [EST-010] the quotes
    }

    fn tokens(self, sum: &u64) -> u64 {
        (*sum + RATIO_UNITS / 2) / RATIO_UNITS // [EST-001] [EST-002]
    }
}

/// Units of a text in UTF-8, in which a surrogate has three bytes and is one unit.
fn size_utf16(text: &[u8]) -> u64 {
    text.iter().map(|&byte| u64::from(byte & 0xC0 != 0x80) + u64::from(byte >= 0xF0)).sum()
}

/// The bound of one family.
#[derive(Clone, Copy)]
pub(super) struct BoundMeasure<'t> {
    pub(super) table: &'t Table,
}

impl<'t> Measure for BoundMeasure<'t> {
    type Sum = Running<'t>;
    const COUNTS_IDS: bool = true;

    fn row(self) -> u64 {
        self.table.row // [EST-032]
    }

    fn block(self) -> u64 {
        self.table.block // [EST-032]
    }

    fn media(self) -> u64 {
        self.table.image // [EST-032]
    }

    fn empty(self) -> Running<'t> {
        Running::new(self.table)
    }

    fn push(self, sum: &mut Running<'t>, part: &[u8]) {
        sum.push_utf8(part);
    }

    fn push_text(self, sum: &mut Running<'t>, raw: &[u8], scanned: &Scanned) {
        if scanned.is_escaped {
            decode(raw, Form::Text, |part| sum.push_utf8(part));
        } else {
            sum.push_utf8(raw);
        }
    }

    fn push_form(self, sum: &mut Running<'t>, raw: &[u8], scanned: &Scanned) {
        sum.push_byte(b'"');
        if scanned.is_rewritten {
            decode(raw, Form::Serialised, |part| sum.push_utf8(part));
        } else {
            sum.push_utf8(raw);
        }
        sum.push_byte(b'"');
    }

    fn tokens(self, sum: &Running<'t>) -> u64 {
        sum.tokens() // [EST-031] rounded up, once for the whole text
    }
}
