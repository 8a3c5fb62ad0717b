//! Strings 64 bytes at a time, by masks with one bit for each byte.

use super::{Losses, Scanned};

/// Bytes in a block.
pub(super) const BLOCK_BYTES: usize = 64;
/// Every second bit.
const ODD_BITS: u64 = 0xAAAA_AAAA_AAAA_AAAA;

/// The bytes of a block.
pub(super) type Block = [u8; BLOCK_BYTES];

/// What is asked about every block.
pub(super) struct Marks {
    /// Which bytes are `"`.
    pub(super) quotes: u64,
    /// Which bytes are `\`.
    pub(super) backslashes: u64,
    /// Which bytes, taken for signed ones, lie below the blank: control characters and what is beyond ASCII.
    pub(super) below_blank: u64,
}

/// What is asked about a block with escapes.
pub(super) struct Letters {
    /// Which bytes may stand behind a backslash.
    pub(super) all: u64,
    /// Which bytes are `u`.
    pub(super) units: u64,
    /// Which bytes are `/`.
    pub(super) slashes: u64,
}

/// What is asked about a block that may not be ASCII.
pub(super) struct Wide {
    /// Which bytes lie beyond ASCII.
    pub(super) beyond_ascii: u64,
    /// Which bytes continue a character.
    pub(super) continuations: u64,
    /// Which bytes begin a character of four bytes.
    pub(super) leads_of_four: u64,
}

/// What [`super::Strings::find_special`] gives, by blocks.
#[inline(always)]
#[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
pub(super) fn find_special(bytes: &[u8], start: usize, specials: impl Fn(&Block) -> u64) -> usize {
    let mut at = start;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let specials = specials(block);
        if specials != 0 {
            return at + specials.trailing_zeros() as usize;
        }
        at += BLOCK_BYTES;
    }
    bytes.len()
}

/// What [`super::Strings::scan`] gives, by blocks.
#[inline(always)]
#[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
pub(super) fn scan(
    bytes: &[u8],
    start: usize,
    mut at: usize,
    marks: impl Fn(&Block) -> Marks,
    letters: impl Fn(&Block) -> Letters,
    wide: impl Fn(&Block) -> Wide,
) -> Option<Scanned> {
    let mut run = Run { bytes, ..Run::default() };
    loop {
        let block = bytes.get(at..)?.first_chunk()?;
        let Marks { quotes, backslashes, below_blank } = marks(block);
        if quotes | backslashes | below_blank | run.carried == 0 {
            at += BLOCK_BYTES;
            continue;
        }
        let escaped = find_escaped(backslashes, &mut run.carried);
        let wide = if below_blank == 0 { None } else { Some(wide(block)) };
        let beyond = wide.as_ref().map_or(0, |wide| wide.beyond_ascii);
        let stops = (quotes & !escaped) | (below_blank & !beyond);
        let before = stops.wrapping_sub(1) & !stops; // all of them where nothing stops
        run.is_escaped |= backslashes & before != 0;
        if escaped & before != 0 {
            run.add_escapes(&letters(block), escaped & before, at)?;
        }
        if let Some(wide) = wide {
            run.is_beyond_ascii |= beyond & before != 0;
            run.continuations += u64::from((wide.continuations & before).count_ones());
            run.fours += u64::from((wide.leads_of_four & before).count_ones());
        }
        if stops != 0 {
            let is_quote = quotes & (before.wrapping_add(1)) != 0;
            return is_quote.then(|| run.end(start, at + stops.trailing_zeros() as usize));
        }
        at += BLOCK_BYTES;
    }
}

/// What has been seen of a string.
#[derive(Default)]
struct Run<'a> {
    bytes: &'a [u8],
    losses: Losses,
    continuations: u64,
    fours: u64,
    /// One if the first byte of the next block stands behind a backslash.
    carried: u64,
    is_escaped: bool,
    is_beyond_ascii: bool,
}

impl Run<'_> {
    /// Takes in the bytes behind backslashes in the block at that place; None if one of them may not stand there.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
    fn add_escapes(&mut self, letters: &Letters, escaped: u64, at: usize) -> Option<()> {
        if escaped & !letters.all != 0 {
            return None;
        }
        let mut units = escaped & letters.units;
        self.losses.text += u64::from((escaped & !units).count_ones());
        self.losses.form += u64::from((escaped & letters.slashes).count_ones());
        while units != 0 {
            self.losses.add_code_unit(self.bytes, at + units.trailing_zeros() as usize + 1)?;
            units &= units - 1;
        }
        Some(())
    }

    /// The string, whose closing quote stands at `end`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
    fn end(&self, start: usize, end: usize) -> Scanned {
        let units = (end - start) as u64 - self.continuations + self.fours;
        Scanned {
            end,
            text_units: units - self.losses.text,
            form_units: units - self.losses.form,
            is_escaped: self.is_escaped,
            is_beyond_ascii: self.is_beyond_ascii,
        }
    }
}

/// Which bytes stand behind a backslash that is not itself behind one.
///
/// In a run of backslashes every second one escapes. Subtracting them from the bits behind them carries along each run,
/// and what has changed at the odd places tells where a run began. The method is that of simdjson.
#[inline(always)]
#[expect(clippy::inline_always, reason = "becomes part of functions that may use more instructions")]
fn find_escaped(backslashes: u64, carried: &mut u64) -> u64 {
    if backslashes == 0 {
        return std::mem::take(carried);
    }
    let starts = backslashes & !*carried;
    let behind = starts << 1;
    let series = (behind | ODD_BITS).wrapping_sub(starts);
    let escapes_and_ends = series ^ ODD_BITS;
    let escaped = escapes_and_ends ^ (backslashes | *carried);
    *carried = (escapes_and_ends & backslashes) >> 63;
    escaped
}
