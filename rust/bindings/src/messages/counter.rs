//! What a row costs: a walk over its content, block by block. Mirrors `keel_ref/tokens/blocks.py`.
//!
//! Spec: EST-005 to EST-012, EST-026, EST-027.

use keel_core::json_size::Sink;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::form::{Failure, NESTING_CAP_LEVELS, write};
use super::measures::Measure;
use super::plain;
use super::values::{Items, Object, stored, word};

type Counted = Result<u64, Failure>;

/// Counts the rows of one list.
pub(crate) struct Counter<M> {
    measure: M,
    row: usize,
    block: Option<usize>,
}

impl<M: Measure> Counter<M> {
    /// A counter by that measure.
    pub(crate) fn new(measure: M) -> Self {
        Self { measure, row: 0, block: None }
    }

    /// Tokens of a list of rows. Spec: EST-012, EST-032.
    pub(crate) fn count(&mut self, rows: &Items<'_>) -> Counted {
        let mut tokens = if rows.len() == 0 { 0 } else { self.measure.frames().0 };
        for place in 0.. {
            let Some(row) = rows.lend(place) else { break };
            if let Some(plain) = plain::row(&self.measure, row) {
                tokens += plain;
                continue;
            }
            self.row = place;
            self.block = None;
            tokens += self.count_row(&row.to_owned())?;
        }
        Ok(tokens)
    }

    /// Where the count stands, as a caller would write it. Spec: EST-027.
    pub(crate) fn place(&self) -> String {
        let row = self.row;
        self.block.map_or_else(|| format!("messages[{row}]"), |block| format!("messages[{row}].content[{block}]"))
    }

    fn count_row(&mut self, row: &Bound<'_, PyAny>) -> Counted {
        let (py, frame) = (row.py(), self.measure.frames().1);
        let Some(found) = Object::of(row)? else {
            return if row.is_none() { Ok(0) } else { Ok(self.odd(row, 1)? + frame) }; // [EST-026]
        };
        if matches!(word(found.get(intern!(py, "role"))?.as_ref())?, b"system" | b"progress") {
            return Ok(0); // [EST-012] never sent; what is unknown may be sent after all, so it counts
        }
        let content = match found.get(intern!(py, "content"))? {
            None => found.get(intern!(py, "text"))?,
            content => content,
        };
        let Some(content) = content else { return Ok(frame) };
        let Some(blocks) = Items::of(&content)? else { return Ok(self.loose_content(&content, 1)? + frame) };
        let mut tokens = frame;
        for (place, block) in blocks.each().enumerate() {
            self.block = Some(place);
            tokens += self.block(&block, 1)?;
        }
        Ok(tokens)
    }

    /// Content that is no list.
    fn loose_content(&self, content: &Bound<'_, PyAny>, level: u32) -> Counted {
        match content.cast::<PyString>() {
            Ok(text) => Ok(self.measure.text(stored(text)?)), // [EST-005] [EST-006]
            Err(_) => self.odd(content, level),
        }
    }

    fn block(&self, block: &Bound<'_, PyAny>, level: u32) -> Counted {
        if block.is_none() {
            return Ok(0); // [EST-026]
        }
        let (py, frame) = (block.py(), self.measure.frames().2);
        let Some(found) = Object::of(block)? else { return Ok(self.odd(block, level)? + frame) };
        let kind = found.get(intern!(py, "type"))?;
        let tokens = match word(kind.as_ref())? {
            b"text" => return self.needed_text(&found, intern!(py, "text"), level),
            b"tool_use" => self.call(py, &found, level)?,
            b"tool_result" => self.result(py, &found, level)?,
            b"thinking" => self.needed_text(&found, intern!(py, "thinking"), level)?, // [EST-008]
            b"redacted_thinking" => self.needed_text(&found, intern!(py, "data"), level)?, // [EST-008]
            b"image" | b"document" => self.measure.media(), // [EST-011] nothing else of it is looked at
            _ => self.odd(block, level)?,                   // [EST-009] [EST-026]
        };
        Ok(tokens + frame)
    }

    fn needed_text<'py>(&self, block: &Object<'py>, key: &Bound<'py, PyString>, level: u32) -> Counted {
        let text = block.get(key)?;
        text.map_or(Ok(0), |text| self.loose_content(&text, level + 1)) // [EST-026]
    }

    /// Tokens of a call. Spec: EST-007, EST-032.
    fn call<'py>(&self, py: Python<'py>, block: &Object<'py>, level: u32) -> Counted {
        let mut form = self.measure.open();
        let name = block.get(intern!(py, "name"))?;
        match block.get(intern!(py, "input"))? {
            None => form.plain(b"{}"), // [EST-007] [EST-026]
            Some(input) => write(&input, level + 1, &mut form)?,
        }
        if !M::COUNTS_IDS {
            write_name(name.as_ref(), level, &mut form)?;
            return Ok(self.measure.close(&form)); // [EST-007] one rounding; the sum is the same in either order
        }
        let input_tokens = self.measure.close(&form);
        let mut form = self.measure.open();
        write_name(name.as_ref(), level, &mut form)?;
        let id_tokens = self.id(block, intern!(py, "id"), level)?;
        Ok(input_tokens + self.measure.close(&form) + id_tokens) // [EST-032]
    }

    fn result<'py>(&self, py: Python<'py>, block: &Object<'py>, level: u32) -> Counted {
        let content = block.get(intern!(py, "content"))?;
        let named = self.id(block, intern!(py, "tool_use_id"), level)?;
        let Some(content) = content else { return Ok(named) };
        let Some(blocks) = Items::of(&content)? else { return Ok(named + self.loose_content(&content, level + 1)?) };
        if level + 1 > NESTING_CAP_LEVELS {
            return Err(Failure::too_deep(py));
        }
        blocks.each().try_fold(named, |tokens, block| Ok(tokens + self.block(&block, level + 2)?)) // [EST-006]
    }

    /// Tokens of an id; nothing where ids do not count, and then it is not looked at. Spec: EST-027, EST-032.
    fn id<'py>(&self, block: &Object<'py>, key: &Bound<'py, PyString>, level: u32) -> Counted {
        if !M::COUNTS_IDS {
            return Ok(0);
        }
        let mut form = self.measure.open();
        write_name(block.get(key)?.as_ref(), level, &mut form)?;
        Ok(self.measure.close(&form))
    }

    /// What is not understood, or of no known type, by its serialised form. Spec: EST-009, EST-026.
    fn odd(&self, value: &Bound<'_, PyAny>, level: u32) -> Counted {
        let mut form = self.measure.open();
        write(value, level, &mut form)?;
        Ok(self.measure.close(&form))
    }
}

/// Writes a name or id: what is missing is empty, what is no text is serialised. Spec: EST-026, EST-032.
fn write_name(value: Option<&Bound<'_, PyAny>>, level: u32, form: &mut impl Sink) -> Result<(), Failure> {
    let Some(value) = value else { return Ok(()) };
    match value.cast::<PyString>() {
        Ok(text) => form.text(stored(text)?),
        Err(_) => write(value, level + 1, form)?,
    }
    Ok(())
}
