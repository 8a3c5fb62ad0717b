//! Steps through a line of JSON where it lies. Spec: EST-033.

use super::LEVELS;
use super::number::{Number, read_number};
use super::strings::{Scanned, Strings};

/// Why the scan of a line ended before the line did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It is no JSON object.
    Broken,
    /// The scan cannot judge it; a parser of trees can.
    Odd,
}

/// What a step gives.
pub(super) type Step<T> = Result<T, Stop>;

/// A string and where it begins, behind its opening quote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quoted {
    pub(super) start: usize,
    pub(super) scanned: Scanned,
}

/// Stands somewhere in a line. A line feed ends the line, and at least 64 bytes of anything stand behind that.
pub(super) struct Scanner<'a, S> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Whether a string has had bytes beyond ASCII.
    pub(super) is_beyond_ascii: bool,
    strings: S,
}

impl<'a, S: Strings> Scanner<'a, S> {
    pub(super) fn new(bytes: &'a [u8], at: usize, strings: S) -> Self {
        Self { bytes, at, is_beyond_ascii: false, strings }
    }

    /// The byte at this place.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(b'\n')
    }

    /// Steps over blanks, tabs and CR.
    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// Steps over the byte, which has to stand there.
    #[inline]
    fn take(&mut self, byte: u8) -> Step<()> {
        if self.peek() != byte {
            return Err(Stop::Broken);
        }
        self.at += 1;
        Ok(())
    }

    /// Steps over a string.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "most strings are short, and most of what is known of one is not asked for"
    )]
    pub(super) fn string(&mut self) -> Step<Quoted> {
        self.take(b'"')?;
        let start = self.at;
        let end = self.strings.find_special(self.bytes, start);
        if self.bytes.get(end) != Some(&b'"') {
            return self.special_string(start, end);
        }
        self.at = end + 1;
        let units = (end - start) as u64;
        let scanned = Scanned { end, text_units: units, form_units: units, ..Scanned::default() };
        Ok(Quoted { start, scanned })
    }

    /// Steps over a string that has escapes, or bytes beyond ASCII, from `at` on.
    #[inline(never)]
    fn special_string(&mut self, start: usize, at: usize) -> Step<Quoted> {
        let scanned = self.strings.scan(self.bytes, start, at).ok_or(Stop::Broken)?;
        self.is_beyond_ascii |= scanned.is_beyond_ascii;
        self.at = scanned.end + 1;
        Ok(Quoted { start, scanned })
    }

    /// The bytes of a string as it is written, which are its text if it has no escapes.
    #[inline]
    pub(super) fn raw(&self, string: Quoted) -> &'a [u8] {
        self.bytes.get(string.start..string.scanned.end).unwrap_or_default()
    }

    /// The text of a string without escapes; one that has some is for the parser of trees.
    #[inline]
    pub(super) fn plain(&self, string: Quoted) -> Step<&'a [u8]> {
        if string.scanned.is_escaped { Err(Stop::Odd) } else { Ok(self.raw(string)) }
    }

    /// Steps over one of the words of JSON.
    pub(super) fn word(&mut self) -> Step<&'static [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let words: [&[u8]; 3] = [b"true", b"false", b"null"];
        let word = words.into_iter().find(|word| rest.starts_with(word)).ok_or(Stop::Broken)?;
        self.at += word.len();
        Ok(word)
    }

    /// Steps over a number; gives it and its bytes.
    pub(super) fn number(&mut self) -> Step<(Number, &'a [u8])> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let number = read_number(rest).ok_or(Stop::Broken)?;
        self.at += number.size;
        Ok((number, rest.get(..number.size).unwrap_or_default()))
    }

    /// Steps into an object or a list, which stands on the level.
    #[inline]
    pub(super) fn open(&mut self, level: usize) -> Step<()> {
        if level > LEVELS {
            return Err(Stop::Broken); // [EST-033]
        }
        self.at += 1;
        Ok(())
    }

    /// Steps to the next member or item, or behind the bracket that closes; tells whether there is one.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "so that nothing it gives goes through memory")]
    pub(super) fn next(&mut self, is_first: &mut bool, close: u8) -> Step<bool> {
        self.skip_blanks();
        let byte = self.peek();
        if byte == close {
            self.at += 1;
            return Ok(false);
        }
        if !std::mem::take(is_first) {
            self.take(b',')?;
            self.skip_blanks();
        }
        Ok(true)
    }

    /// Steps to the value of the next member; gives its key. None behind the last.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "so that nothing it gives goes through memory")]
    pub(super) fn next_key(&mut self, is_first: &mut bool) -> Step<Option<Quoted>> {
        if !self.next(is_first, b'}')? {
            return Ok(None);
        }
        let key = self.string()?;
        self.skip_blanks();
        self.take(b':')?;
        self.skip_blanks();
        Ok(Some(key))
    }

    /// Steps over a value, which stands on the level if it is an object or a list.
    pub(super) fn skip_value(&mut self, level: usize) -> Step<()> {
        match self.peek() {
            b'"' => self.string().map(drop),
            b'{' => {
                self.open(level)?;
                let mut is_first = true;
                while self.next_key(&mut is_first)?.is_some() {
                    self.skip_value(level + 1)?;
                }
                Ok(())
            }
            b'[' => {
                self.open(level)?;
                let mut is_first = true;
                while self.next(&mut is_first, b']')? {
                    self.skip_value(level + 1)?;
                }
                Ok(())
            }
            b't' | b'f' | b'n' => self.word().map(drop),
            _ => self.number().map(drop),
        }
    }
}
