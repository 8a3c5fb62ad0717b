//! The two methods as one thing: what texts and blocks cost. Mirrors `keel_ref/tokens/measures.py`.

use crate::weights::{CLASSES, Table, UNIT};

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
/// What stands before the first byte of a text; it is not counted itself.
const CLASS_BEFORE_THE_FIRST: u8 = 5;
/// How many classes of bytes there are.
const CLASS_COUNT: usize = 10;

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

/// A text whose bound is being summed up.
pub(super) struct BoundSum {
    units: u64,
    class_before: u8,
}

impl Measure for BoundMeasure<'_> {
    type Sum = BoundSum;
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

    fn empty(self) -> BoundSum {
        BoundSum { units: 0, class_before: CLASS_BEFORE_THE_FIRST }
    }

    fn push(self, sum: &mut BoundSum, part: &[u8]) {
        for &byte in part {
            let class = CLASSES.get(usize::from(byte)).copied().unwrap_or_default();
            let pair = usize::from(sum.class_before) * CLASS_COUNT + usize::from(class);
            // [EST-031] a byte, and a pair of classes
            sum.units += u64::from(self.table.bytes.get(usize::from(byte)).copied().unwrap_or_default());
            sum.units += u64::from(self.table.pairs.get(pair).copied().unwrap_or_default());
            sum.class_before = class;
        }
    }

    fn tokens(self, sum: &BoundSum) -> u64 {
        sum.units.div_ceil(UNIT) // [EST-031] up, once for the whole text
    }
}
