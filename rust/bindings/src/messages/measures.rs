//! The two methods as one thing. Mirrors `keel_ref/tokens/measures.py`. Spec: EST-001 to EST-011, EST-032.

use keel_core::bound::Running;
use keel_core::json_size::{Sink, Units};
use keel_core::text::Text;
use keel_core::weights::Table;

/// What the walk over blocks asks a method.
pub(crate) trait Measure {
    /// Takes one text in, whole or piece by piece.
    type Form: Sink;

    /// Whether name, input and id of a call are three texts, and the id of a result one. Spec: EST-007, EST-032.
    const COUNTS_IDS: bool;

    /// A text that is empty so far.
    fn open(&self) -> Self::Form;

    /// Tokens of the text that was taken in.
    fn close(&self, form: &Self::Form) -> u64;

    /// Tokens of an image or document.
    fn media(&self) -> u64;

    /// Tokens that a list, a row and a block which is no text add by themselves.
    fn frames(&self) -> (u64, u64, u64);

    /// Tokens of one text.
    fn text(&self, text: Text) -> u64 {
        let mut form = self.open();
        form.text(text);
        self.close(&form)
    }
}

/// The documented rule with its defaults.
pub(crate) struct Rough;

/// Units of one token. Spec: EST-001.
const RATIO_UNITS: u64 = 4;
/// Tokens of an image or document. Spec: EST-011.
const IMAGE_TOKENS: u64 = 2_000;

impl Measure for Rough {
    type Form = Units;

    const COUNTS_IDS: bool = false;

    fn open(&self) -> Units {
        Units::default()
    }

    fn close(&self, form: &Units) -> u64 {
        (form.0 + RATIO_UNITS / 2) / RATIO_UNITS // [EST-001] half up
    }

    fn media(&self) -> u64 {
        IMAGE_TOKENS // [EST-011]
    }

    fn frames(&self) -> (u64, u64, u64) {
        (0, 0, 0) // [EST-024]
    }
}

/// The bound of one family.
pub(crate) struct Bounded<'t>(pub(crate) &'t Table);

impl<'t> Measure for Bounded<'t> {
    type Form = Running<'t>;

    const COUNTS_IDS: bool = true; // [EST-032]

    fn open(&self) -> Running<'t> {
        Running::new(self.0)
    }

    fn close(&self, form: &Running<'t>) -> u64 {
        form.tokens() // [EST-031]
    }

    fn media(&self) -> u64 {
        self.0.image // [EST-032]
    }

    fn frames(&self) -> (u64, u64, u64) {
        (self.0.list, self.0.row, self.0.block) // [EST-032]
    }
}
