//! Strings of JSON where they lie: where one ends, whether it is sound, and how large its text is.

#[cfg(target_arch = "x86_64")]
mod blocks;
mod portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "instructions that are used behind a question to the machine")]
mod x86;

pub(super) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

/// A sound string, but for the question whether its bytes beyond ASCII are UTF-8.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Scanned {
    /// Where its closing quote stands.
    pub(super) end: usize,
    /// Units of UTF-16 of the text. Spec: EST-001.
    pub(super) text_units: u64,
    /// Units of its serialised form, without the quotes. Spec: EST-010.
    pub(super) form_units: u64,
    /// Whether something in it is written with an escape.
    pub(super) is_escaped: bool,
    /// Whether an escape of it is one that the serialised form does not have, or may not write like this.
    pub(super) is_rewritten: bool,
    /// Whether a byte of it lies beyond ASCII.
    pub(super) is_beyond_ascii: bool,
}

/// One way to scan strings. All of them give the same.
pub(super) trait Strings: Copy {
    /// Where, from `start` on, the first byte stands that is a quote, a backslash, a control character or beyond ASCII.
    ///
    /// A line feed stands behind the string at the latest, and 64 bytes of anything behind that.
    fn find_special(self, bytes: &[u8], start: usize) -> usize;

    /// The string whose first byte behind the opening quote stands at `start`, and whose bytes before `at` are not
    /// special; None for one that is broken. Behind it stands what [`Strings::find_special`] wants there.
    fn scan(self, bytes: &[u8], start: usize, at: usize) -> Option<Scanned>;
}

/// What is lost of the bytes of a string when its escapes are read, in units of UTF-16.
#[derive(Debug, Clone, Copy, Default)]
struct Losses {
    text: u64,
    form: u64,
}

impl Losses {
    /// A `\u` whose first digit stands at `at`, and which has been counted as an escape; None for one without four digits.
    fn add_code_unit(&mut self, bytes: &[u8], at: usize) -> Option<()> {
        let unit = hexadecimal(bytes, at)?;
        self.text += 4;
        self.form += 6 - size_form(unit);
        Some(())
    }
}

/// Units that a unit of UTF-16 takes in the serialised form. Spec: EST-010.
fn size_form(unit: u16) -> u64 {
    match unit {
        0x08 | 0x09 | 0x0A | 0x0C | 0x0D | 0x22 | 0x5C => 2,
        0..0x20 => 6,
        _ => 1,
    }
}

/// The unit of UTF-16 that the four hexadecimal digits at that place name.
pub(super) fn hexadecimal(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 4)?.iter().try_fold(0_u16, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}
