//! Strings 64 bytes at a time, by masks with one bit for each byte.

use super::{Losses, Scanned};

/// Bytes in a block.
pub(super) const BLOCK_BYTES: usize = 64;
/// Every second bit.
const ODD_BITS: u64 = 0xAAAA_AAAA_AAAA_AAAA;

/// The bytes of a block.
pub(super) type Block = [u8; BLOCK_BYTES];

/// What is asked about every block: all at once, since to ask for less would mean to guess what comes.
pub(super) struct Marks {
    /// Which bytes are `"`.
    pub(super) quotes: u64,
    /// Which bytes are `\`.
    pub(super) backslashes: u64,
    /// Which bytes are control characters.
    pub(super) controls: u64,
    /// Which bytes lie beyond ASCII.
    pub(super) beyond_ascii: u64,
    /// Which bytes continue a character.
    pub(super) continuations: u64,
    /// Which bytes begin a character of four bytes.
    pub(super) leads_of_four: u64,
    /// Which bytes may stand behind a backslash and make two bytes of a string one unit, in its serialised form two.
    pub(super) usual_letters: u64,
}

/// What is asked about a block with unusual escapes.
pub(super) struct Letters {
    /// Which bytes are `u`.
    pub(super) units: u64,
    /// Which bytes are `/`.
    pub(super) slashes: u64,
}

/// What [`super::Strings::find_special`] gives, by blocks.
#[inline(always)]
#[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
pub(super) fn find_special(bytes: &[u8], start: usize, specials: impl Fn(&Block) -> u64) -> usize {
    let (blocks, _) = bytes.get(start..).unwrap_or_default().as_chunks();
    let mut at = start;
    for block in blocks {
        let specials = specials(block);
        if specials != 0 {
            return at + specials.trailing_zeros() as usize;
        }
        at = at.wrapping_add(BLOCK_BYTES);
    }
    bytes.len()
}

/// What [`super::Strings::scan`] gives, by blocks.
#[inline(always)]
#[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
pub(super) fn scan(
    bytes: &[u8],
    start: usize,
    at: usize,
    marks: impl Fn(&Block) -> Marks,
    letters: impl Fn(&Block) -> Letters,
) -> Option<Scanned> {
    let mut run = Run::default();
    let mut losses = Losses::default();
    let mut carried = 0;
    let (blocks, _) = bytes.get(at..)?.as_chunks();
    let mut rest = blocks.iter();
    while let Some(block) = rest.next() {
        let marks = marks(block);
        let escaped = find_escaped(marks.backslashes, &mut carried);
        let unusual = escaped & !marks.usual_letters;
        let stops = (marks.quotes & !escaped) | marks.controls;
        if unusual | stops == 0 {
            run.add(&marks, escaped, u64::MAX);
            continue;
        }
        let at = at + (blocks.len() - rest.len() - 1) * BLOCK_BYTES;
        let before = stops.wrapping_sub(1) & !stops; // all of them where nothing stops
        if unusual & before != 0 {
            losses = losses.with_unusual(bytes, at, unusual & before, &letters(block))?;
        }
        run.add(&marks, escaped, before);
        if stops != 0 {
            let is_quote = marks.controls & before.wrapping_add(1) == 0;
            return is_quote.then(|| run.end(losses, start, at + stops.trailing_zeros() as usize));
        }
    }
    None
}

/// What has been seen of a string. No counter can pass the number of its bytes. They are few, to stay in registers.
#[derive(Default)]
struct Run {
    escapes: u64,
    /// Bytes that continue a character, less the characters of four bytes.
    continuations: u64,
    /// Not zero if there was one.
    beyond_ascii: u64,
}

impl Run {
    /// Takes in those bytes of a block that are marked in `which`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
    fn add(&mut self, marks: &Marks, escaped: u64, which: u64) {
        let count = |bits: u64| u64::from((bits & which).count_ones());
        let continuations = count(marks.continuations).wrapping_sub(count(marks.leads_of_four));
        self.escapes = self.escapes.wrapping_add(count(escaped));
        self.continuations = self.continuations.wrapping_add(continuations);
        self.beyond_ascii |= marks.beyond_ascii & which;
    }

    /// The string, whose closing quote stands at `end`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
    fn end(&self, losses: Losses, start: usize, end: usize) -> Scanned {
        let units = ((end - start) as u64).wrapping_sub(self.continuations);
        Scanned {
            end,
            text_units: units - self.escapes - losses.text,
            form_units: units - losses.form,
            is_escaped: self.escapes != 0,
            is_rewritten: losses.text | losses.form != 0, // a `u` loses something of the text, a slash of the form
            is_beyond_ascii: self.beyond_ascii != 0,
        }
    }
}

impl Losses {
    /// These, and what a slash or a `u` behind a backslash loses more than other letters, in the block at that place; None
    /// if there is anything else.
    #[inline(never)]
    fn with_unusual(mut self, bytes: &[u8], at: usize, unusual: u64, letters: &Letters) -> Option<Self> {
        let mut units = unusual & letters.units;
        let slashes = unusual & letters.slashes;
        if units | slashes != unusual {
            return None;
        }
        self.form += u64::from(slashes.count_ones());
        while units != 0 {
            self.add_code_unit(bytes, at + units.trailing_zeros() as usize + 1)?;
            units &= units - 1;
        }
        Some(self)
    }
}

/// Which bytes stand behind a backslash that is not itself behind one.
///
/// In a run of backslashes every second one escapes. Subtracting them from the bits behind them carries along each run,
/// and what has changed at the odd places tells where a run began. The method is that of simdjson.
#[inline(always)]
#[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
fn find_escaped(backslashes: u64, carried: &mut u64) -> u64 {
    let starts = backslashes & !*carried;
    let behind = starts << 1;
    let series = (behind | ODD_BITS).wrapping_sub(starts);
    let escapes_and_ends = series ^ ODD_BITS;
    let escaped = escapes_and_ends ^ (backslashes | *carried);
    *carried = (escapes_and_ends & backslashes) >> 63;
    escaped
}
