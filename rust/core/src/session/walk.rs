//! What a line costs, while it is stepped through. Mirrors `keel_ref/tokens/blocks.py` and `transcript.py`.

use super::Line;
use super::block::Kind;
use super::measure::Measure;
use super::scanner::{Scanner, Step, Stop};
use super::strings::Strings;

/// Steps through lines and measures what counts.
pub(super) struct Walk<'a, S, M> {
    pub(super) scanner: Scanner<'a, S>,
    pub(super) measure: M,
    /// Members of an earlier row, with the comma before them, that mean nothing; empty where there are none.
    pub(super) repeated: &'a [u8],
}

/// Bytes of members at most that may be found again in the next row.
const REPEATED_AT_MOST: usize = 512;

/// What a row says of itself.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are those of the row")]
struct Marks {
    is_counted: bool,
    is_system: bool,
    is_attachment: bool,
    is_boundary: bool,
    is_sidechain: bool,
    is_for_the_screen: bool,
    is_summary: bool,
    tokens: u64,
}

impl<S: Strings, M: Measure> Walk<'_, S, M> {
    /// What the line at this place is; the scanner then stands on its LF. Spec: EST-033.
    pub(super) fn line(&mut self) -> Step<Line> {
        let start = self.scanner.at;
        self.scanner.skip_blanks();
        match self.scanner.peek() {
            b'\n' => return Ok(Line::Blank), // [EST-033]
            b'{' => {}
            _ => return Err(Stop::Broken), // [EST-033]
        }
        let marks = self.row()?;
        self.scanner.skip_blanks();
        if self.scanner.peek() != b'\n' {
            return Err(Stop::Broken); // [EST-033]
        }
        if self.scanner.is_beyond_ascii {
            let line = self.scanner.bytes.get(start..self.scanner.at).unwrap_or_default();
            simdutf8::basic::from_utf8(line).map_err(|_| Stop::Broken)?; // [EST-033]
        }
        Ok(self.judge(&marks))
    }

    fn judge(&self, marks: &Marks) -> Line {
        if marks.is_counted && (marks.is_summary || !marks.is_for_the_screen) {
            let tokens = marks.tokens + self.measure.row();
            return Line::Row { is_sidechain: marks.is_sidechain, tokens };
        }
        match marks {
            Marks { is_system: true, is_boundary: true, .. } => Line::Boundary,
            Marks { is_attachment: true, .. } => Line::Attachment,
            _ => Line::Other, // [EST-033]
        }
    }

    fn row(&mut self) -> Step<Marks> {
        let mut marks = Marks::default();
        let mut is_first = true;
        let mut run = None;
        self.scanner.open(1)?;
        loop {
            let before = self.scanner.at;
            if !is_first && self.skip_repeated() {
                run = None;
            }
            let Some(key) = self.scanner.next_key(&mut is_first)? else { break };
            let key = self.scanner.plain(key)?;
            if !matches!(
                key,
                b"type" | b"subtype" | b"isSidechain" | b"isVisibleInTranscriptOnly" | b"isCompactSummary" | b"message"
            ) {
                self.scanner.skip_value(2)?;
                run = run.or(Some(before));
                continue;
            }
            if let Some(start) = run.take() {
                self.note_repeated(start, before);
            }
            match key {
                b"type" => {
                    let name = self.name()?;
                    marks.is_counted = matches!(name, Some(b"user" | b"assistant"));
                    marks.is_system = name == Some(b"system");
                    marks.is_attachment = name == Some(b"attachment");
                }
                b"subtype" => marks.is_boundary = self.name()? == Some(b"compact_boundary"),
                b"isSidechain" => marks.is_sidechain = self.is_true()?,
                b"isVisibleInTranscriptOnly" => marks.is_for_the_screen = self.is_true()?,
                b"isCompactSummary" => marks.is_summary = self.is_true()?,
                _ => marks.tokens = self.message()?,
            }
        }
        Ok(marks)
    }

    /// Steps over members that stood in an earlier row, byte for byte, and mean nothing: a client writes where and in which
    /// session it runs into each row. They begin with the comma before them; the one behind them comes next.
    #[inline]
    fn skip_repeated(&mut self) -> bool {
        let rest = self.scanner.bytes.get(self.scanner.at..).unwrap_or_default();
        let is_repeated = !self.repeated.is_empty()
            && rest.first_chunk::<8>() == self.repeated.first_chunk::<8>()
            && rest.starts_with(self.repeated)
            && rest.get(self.repeated.len()) == Some(&b',');
        if is_repeated {
            self.scanner.at += self.repeated.len();
        }
        is_repeated
    }

    /// Takes the members between these commas for such as the next row may have, too.
    fn note_repeated(&mut self, start: usize, end: usize) {
        let members = self.scanner.bytes.get(start..end).unwrap_or_default();
        let is_usual = members.first() == Some(&b',')
            && self.scanner.bytes.get(end) == Some(&b',')
            && (8..=REPEATED_AT_MOST).contains(&members.len())
            && members.is_ascii();
        if is_usual {
            self.repeated = members;
        }
    }

    /// The text of a string that has no escapes; None for what is no string.
    pub(super) fn name(&mut self) -> Step<Option<&[u8]>> {
        if self.scanner.peek() != b'"' {
            self.scanner.skip_value(2)?;
            return Ok(None);
        }
        let string = self.scanner.string()?;
        self.scanner.plain(string).map(Some)
    }

    /// Whether the value is the true of JSON.
    fn is_true(&mut self) -> Step<bool> {
        let is_true = self.scanner.peek() == b't';
        self.scanner.skip_value(2)?;
        Ok(is_true)
    }

    /// What the content of a message costs.
    fn message(&mut self) -> Step<u64> {
        let mut tokens = 0;
        if self.scanner.peek() != b'{' {
            self.scanner.skip_value(2)?;
            return Ok(tokens); // [EST-033] then the row has no content
        }
        let mut is_first = true;
        self.scanner.open(2)?;
        while let Some(key) = self.scanner.next_key(&mut is_first)? {
            match self.scanner.plain(key)? {
                b"content" => tokens = self.content(3)?,
                _ => self.scanner.skip_value(3)?,
            }
        }
        Ok(tokens)
    }

    /// What the content of a row or of a result costs, which stands on the level if it is an object or a list.
    pub(super) fn content(&mut self, level: usize) -> Step<u64> {
        if self.scanner.peek() != b'[' {
            return self.text_or_odd(level); // [EST-005] [EST-006] [EST-026]
        }
        let mut tokens = 0;
        let mut is_first = true;
        self.scanner.open(level)?;
        while self.scanner.next(&mut is_first, b']')? {
            tokens += self.block(level + 1)?; // [EST-012]
        }
        Ok(tokens)
    }

    /// What a text costs: nothing where it is null, its serialised form where it is no string. Spec: EST-026.
    pub(super) fn text_or_odd(&mut self, level: usize) -> Step<u64> {
        let mut sum = self.measure.empty();
        self.push_text_or_odd(&mut sum, level)?;
        Ok(self.measure.tokens(&sum))
    }

    /// Adds a text, nothing where it is null, or its serialised form where it is no string. Spec: EST-026.
    pub(super) fn push_text_or_odd(&mut self, sum: &mut M::Sum, level: usize) -> Step<()> {
        match self.scanner.peek() {
            b'"' => {
                let string = self.scanner.string()?;
                self.measure.push_text(sum, self.scanner.raw(string), &string.scanned);
                Ok(())
            }
            b'n' => self.scanner.word().map(drop),
            _ => self.push_form(sum, level),
        }
    }

    fn block(&mut self, level: usize) -> Step<u64> {
        match self.scanner.peek() {
            b'n' => self.scanner.word().map(|_| 0), // [EST-026]
            b'{' => {
                let (kind, tokens) = self.fields(level)?;
                Ok(if kind == Kind::Text { tokens } else { tokens + self.measure.block() }) // [EST-032]
            }
            _ => Ok(self.text_form(level)? + self.measure.block()), // [EST-026]
        }
    }

    /// What the serialised form of the value costs. Spec: EST-009, EST-026.
    pub(super) fn text_form(&mut self, level: usize) -> Step<u64> {
        let mut sum = self.measure.empty();
        self.push_form(&mut sum, level)?;
        Ok(self.measure.tokens(&sum))
    }
}
