//! What a plain row costs: the walk of `counter` over values that are lent, each dict in one pass.
//!
//! Most rows come from a parser of JSON and are plain. It gives nothing for a row in which anything else is met, or which
//! has no form; such a row is counted by `counter`, which also says what is wrong. Spec: EST-005 to EST-012, EST-026.

use keel_core::json_size::{Sink, number};
use keel_core::text::Text;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::form::NESTING_CAP_LEVELS;
use super::lent::{self, Entries, Items, Lent};
use super::measures::Measure;

/// Tokens of a row, if it is plain.
pub(crate) fn row<M: Measure>(measure: &M, row: Lent<'_, '_>) -> Option<u64> {
    let (mut role, mut content, mut text) = (None, None, None);
    for (key, value) in Entries::of(row)? {
        match lent::text(key)? {
            Text::Ascii(b"role") => role = present(value),
            Text::Ascii(b"content") => content = present(value),
            Text::Ascii(b"text") => text = present(value),
            _ => {}
        }
    }
    if matches!(word(role)?, b"system" | b"progress") {
        return Some(0); // [EST-012] never sent
    }
    let frame = measure.frames().1;
    let Some(content) = content.or(text) else { return Some(frame) };
    let Some(blocks) = Items::of(content) else { return Some(loose(measure, content, 1)? + frame) };
    blocks.each().try_fold(frame, |tokens, item| Some(tokens + block(measure, item, 1)?))
}

/// What is looked at of a block.
#[derive(Default)]
struct Block<'a, 'py> {
    kind: Option<Lent<'a, 'py>>,
    text: Option<Lent<'a, 'py>>,
    thinking: Option<Lent<'a, 'py>>,
    data: Option<Lent<'a, 'py>>,
    name: Option<Lent<'a, 'py>>,
    input: Option<Lent<'a, 'py>>,
    id: Option<Lent<'a, 'py>>,
    result_id: Option<Lent<'a, 'py>>,
    content: Option<Lent<'a, 'py>>,
}

impl<'a, 'py> Block<'a, 'py> {
    fn of(value: Lent<'a, 'py>) -> Option<Self> {
        let mut found = Self::default();
        for (key, value) in Entries::of(value)? {
            match lent::text(key)? {
                Text::Ascii(b"type") => found.kind = present(value),
                Text::Ascii(b"text") => found.text = present(value),
                Text::Ascii(b"thinking") => found.thinking = present(value),
                Text::Ascii(b"data") => found.data = present(value),
                Text::Ascii(b"name") => found.name = present(value),
                Text::Ascii(b"input") => found.input = present(value),
                Text::Ascii(b"id") => found.id = present(value),
                Text::Ascii(b"tool_use_id") => found.result_id = present(value),
                Text::Ascii(b"content") => found.content = present(value),
                _ => {}
            }
        }
        Some(found)
    }
}

fn block<M: Measure>(measure: &M, value: Lent<'_, '_>, level: u32) -> Option<u64> {
    if value.is_none() {
        return Some(0); // [EST-026]
    }
    let found = Block::of(value)?;
    let tokens = match word(found.kind)? {
        b"text" => return needed_text(measure, found.text, level),
        b"tool_use" => call(measure, &found, level)?,
        b"tool_result" => result(measure, &found, level)?,
        b"thinking" => needed_text(measure, found.thinking, level)?, // [EST-008]
        b"redacted_thinking" => needed_text(measure, found.data, level)?, // [EST-008]
        b"image" | b"document" => measure.media(),                   // [EST-011]
        _ => odd(measure, value, level)?,                            // [EST-009] [EST-026]
    };
    Some(tokens + measure.frames().2)
}

fn needed_text<M: Measure>(measure: &M, text: Option<Lent<'_, '_>>, level: u32) -> Option<u64> {
    text.map_or(Some(0), |text| loose(measure, text, level + 1)) // [EST-026]
}

/// Tokens of a call. Spec: EST-007, EST-032.
fn call<M: Measure>(measure: &M, block: &Block<'_, '_>, level: u32) -> Option<u64> {
    let mut form = measure.open();
    match block.input {
        None => form.plain(b"{}"), // [EST-007] [EST-026]
        Some(input) => write(input, level + 1, &mut form)?,
    }
    if !M::COUNTS_IDS {
        write_name(block.name, level, &mut form)?;
        return Some(measure.close(&form)); // [EST-007] one rounding; the sum is the same in either order
    }
    Some(measure.close(&form) + name(measure, block.name, level)? + name(measure, block.id, level)?) // [EST-032]
}

fn result<M: Measure>(measure: &M, block: &Block<'_, '_>, level: u32) -> Option<u64> {
    let named = if M::COUNTS_IDS { name(measure, block.result_id, level)? } else { 0 }; // [EST-032]
    let Some(content) = block.content else { return Some(named) };
    let Some(blocks) = Items::of(content) else { return Some(named + loose(measure, content, level + 1)?) };
    if level + 1 > NESTING_CAP_LEVELS {
        return None;
    }
    blocks.each().try_fold(named, |tokens, item| Some(tokens + self::block(measure, item, level + 2)?)) // [EST-006]
}

/// Content that is no list.
fn loose<M: Measure>(measure: &M, content: Lent<'_, '_>, level: u32) -> Option<u64> {
    match lent::text(content) {
        Some(text) => Some(measure.text(text)), // [EST-005] [EST-006]
        None => odd(measure, content, level),
    }
}

/// Tokens of a name or id that counts by itself. Spec: EST-032.
fn name<M: Measure>(measure: &M, value: Option<Lent<'_, '_>>, level: u32) -> Option<u64> {
    let mut form = measure.open();
    write_name(value, level, &mut form)?;
    Some(measure.close(&form))
}

/// What is not understood, or of no known type, by its serialised form. Spec: EST-009, EST-026.
fn odd<M: Measure>(measure: &M, value: Lent<'_, '_>, level: u32) -> Option<u64> {
    let mut form = measure.open();
    write(value, level, &mut form)?;
    Some(measure.close(&form))
}

/// Writes a name or id: what is missing is empty, what is no text is serialised. Spec: EST-026, EST-032.
fn write_name(value: Option<Lent<'_, '_>>, level: u32, form: &mut impl Sink) -> Option<()> {
    let Some(value) = value else { return Some(()) };
    match lent::text(value) {
        Some(text) => form.text(text),
        None => write(value, level + 1, form)?,
    }
    Some(())
}

/// Writes a value on that level as compact JSON. Spec: EST-010, EST-027.
fn write(value: Lent<'_, '_>, level: u32, sink: &mut impl Sink) -> Option<()> {
    if let Some(text) = lent::text(value) {
        sink.quoted(text);
    } else if let Some(whole) = lent::whole(value) {
        sink.whole(whole);
    } else if value.is_none() {
        sink.plain(b"null");
    } else if let Ok(truth) = value.cast_exact::<PyBool>() {
        sink.plain(if truth.is_true() { b"true" } else { b"false" });
    } else if let Some(float) = lent::float(value) {
        number(sink, float);
    } else if level > NESTING_CAP_LEVELS {
        return None; // [EST-027]
    } else if let Some(entries) = Entries::of(value) {
        write_object(entries, level, sink)?;
    } else {
        write_list(Items::of(value)?, level, sink)?;
    }
    Some(())
}

fn write_object(entries: Entries<'_, '_>, level: u32, sink: &mut impl Sink) -> Option<()> {
    let mut opening: &[u8] = b"{";
    for (key, value) in entries {
        sink.plain(opening); // [EST-010] no blanks, keys in the order given
        opening = b",";
        sink.quoted(lent::text(key)?);
        sink.plain(b":");
        write(value, level + 1, sink)?;
    }
    sink.plain(if opening == b"{" { b"{}" } else { b"}" });
    Some(())
}

fn write_list(items: Items<'_, '_>, level: u32, sink: &mut impl Sink) -> Option<()> {
    let mut opening: &[u8] = b"[";
    for item in items.each() {
        sink.plain(opening);
        opening = b",";
        write(item, level + 1, sink)?;
    }
    sink.plain(if opening == b"[" { b"[]" } else { b"]" });
    Some(())
}

/// The value, if it is not missing.
#[inline]
fn present<'a, 'py>(value: Lent<'a, 'py>) -> Option<Lent<'a, 'py>> {
    (!value.is_none()).then_some(value)
}

/// The characters of a text of ASCII; empty for any other text and for what is missing.
#[inline]
fn word<'a>(value: Option<Lent<'a, '_>>) -> Option<&'a [u8]> {
    let Some(value) = value else { return Some(&[]) };
    Some(match lent::text(value)? {
        Text::Ascii(bytes) => bytes,
        _ => &[],
    })
}
