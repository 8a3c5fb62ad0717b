//! What a line costs, by a walk over its tree. Mirrors `keel_ref/tokens/blocks.py` and `transcript.py`.

use super::Line;
use super::measure::Measure;
use super::number::{read_number, write_form};
use super::tree::{Object, Value};
use super::tree_parse::parse_line;

/// What the line, without its LF, is. Spec: EST-033.
pub(super) fn read_line<M: Measure>(line: &[u8], measure: M) -> Line {
    if line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
        return Line::Blank; // [EST-033]
    }
    match parse_line(line) {
        Some(row) => Counter { measure }.row(&row),
        None => Line::Broken, // [EST-033]
    }
}

struct Counter<M> {
    measure: M,
}

impl<M: Measure> Counter<M> {
    fn row(&self, row: &Object<'_>) -> Line {
        let is = |key: &[u8]| row.get(key) == Some(&Value::Bool(true));
        match row.get(b"type").and_then(Value::as_text) {
            Some(b"user" | b"assistant") if is(b"isCompactSummary") || !is(b"isVisibleInTranscriptOnly") => {
                let message = row.get(b"message").and_then(Value::as_object);
                let content = message.and_then(|message| message.get(b"content")).unwrap_or(&Value::Null);
                Line::Row { is_sidechain: is(b"isSidechain"), tokens: self.content(content) + self.measure.row() }
            }
            Some(b"system") if row.get(b"subtype").and_then(Value::as_text) == Some(b"compact_boundary") => {
                Line::Boundary
            }
            Some(b"attachment") => Line::Attachment,
            _ => Line::Other, // [EST-033]
        }
    }

    /// The content of a row or of a result.
    fn content(&self, content: &Value<'_>) -> u64 {
        match content {
            Value::Null => 0,                                                      // [EST-026]
            Value::Text(text) => self.measure.text(text),                          // [EST-005] [EST-006]
            Value::List(blocks) => blocks.iter().map(|one| self.block(one)).sum(), // [EST-012]
            odd => self.odd(odd),                                                  // [EST-026]
        }
    }

    fn block(&self, block: &Value<'_>) -> u64 {
        let Value::Object(fields) = block else {
            return if *block == Value::Null { 0 } else { self.odd(block) + self.measure.block() }; // [EST-026]
        };
        let cost = match fields.get(b"type").and_then(Value::as_text) {
            Some(b"text") => return self.needed_text(fields, b"text"), // [EST-005]
            Some(b"image" | b"document") => self.measure.media(),      // [EST-011]
            Some(b"tool_use") => self.call(fields),
            Some(b"tool_result") => self.result(fields),
            Some(b"thinking") => self.needed_text(fields, b"thinking"), // [EST-008]
            Some(b"redacted_thinking") => self.needed_text(fields, b"data"), // [EST-008]
            _ => self.odd(block),                                       // [EST-009] [EST-026]
        };
        cost + self.measure.block()
    }

    fn needed_text(&self, fields: &Object<'_>, key: &[u8]) -> u64 {
        match fields.get(key) {
            None | Some(Value::Null) => 0, // [EST-026]
            Some(Value::Text(text)) => self.measure.text(text),
            Some(odd) => self.odd(odd), // [EST-026]
        }
    }

    fn call(&self, fields: &Object<'_>) -> u64 {
        let mut sum = self.measure.empty();
        let mut before = 0;
        self.push_name(&mut sum, fields.get(b"name"));
        if M::COUNTS_IDS {
            before = self.measure.tokens(&sum) + self.id(fields, b"id"); // [EST-032] three texts
            sum = self.measure.empty();
        }
        match fields.get(b"input") {
            None | Some(Value::Null) => self.measure.push(&mut sum, b"{}"), // [EST-007] [EST-026]
            Some(input) => self.push_form(&mut sum, input),
        }
        before + self.measure.tokens(&sum)
    }

    fn result(&self, fields: &Object<'_>) -> u64 {
        let id = if M::COUNTS_IDS { self.id(fields, b"tool_use_id") } else { 0 }; // [EST-006] [EST-032]
        id + self.content(fields.get(b"content").unwrap_or(&Value::Null))
    }

    fn id(&self, fields: &Object<'_>, key: &[u8]) -> u64 {
        let mut sum = self.measure.empty();
        self.push_name(&mut sum, fields.get(key));
        self.measure.tokens(&sum)
    }

    /// A name or id: what is missing is empty, what is no text is serialised. Spec: EST-026, EST-032.
    fn push_name(&self, sum: &mut M::Sum, value: Option<&Value<'_>>) {
        match value {
            None | Some(Value::Null) => {}
            Some(Value::Text(text)) => self.measure.push(sum, text),
            Some(odd) => self.push_form(sum, odd),
        }
    }

    fn odd(&self, value: &Value<'_>) -> u64 {
        let mut sum = self.measure.empty();
        self.push_form(&mut sum, value);
        self.measure.tokens(&sum)
    }

    /// Adds the serialised form of the value. Spec: EST-010.
    fn push_form(&self, sum: &mut M::Sum, value: &Value<'_>) {
        match value {
            Value::Null => self.measure.push(sum, b"null"),
            Value::Bool(true) => self.measure.push(sum, b"true"),
            Value::Bool(false) => self.measure.push(sum, b"false"),
            Value::Text(text) => self.push_quoted(sum, text),
            Value::Number(digits) => {
                if let Some(number) = read_number(digits) {
                    write_form(number, digits, |part| self.measure.push(sum, part));
                }
            }
            Value::List(items) => {
                self.measure.push(sum, b"[");
                for (place, item) in items.iter().enumerate() {
                    self.measure.push(sum, if place == 0 { b"" } else { b"," });
                    self.push_form(sum, item);
                }
                self.measure.push(sum, b"]");
            }
            Value::Object(fields) => {
                self.measure.push(sum, b"{");
                for (place, (key, item)) in fields.members().iter().enumerate() {
                    self.measure.push(sum, if place == 0 { b"" } else { b"," });
                    self.push_quoted(sum, key);
                    self.measure.push(sum, b":");
                    self.push_form(sum, item);
                }
                self.measure.push(sum, b"}");
            }
        }
    }

    /// Adds a text between quotes; only what JSON demands is escaped. Spec: EST-010.
    fn push_quoted(&self, sum: &mut M::Sum, text: &[u8]) {
        self.measure.push(sum, b"\"");
        for part in text.chunk_by(|one, next| !needs_escape(*one) && !needs_escape(*next)) {
            match part {
                [byte] if needs_escape(*byte) => {
                    let (escape, size) = escaped(*byte);
                    self.measure.push(sum, escape.get(..size).unwrap_or_default());
                }
                plain => self.measure.push(sum, plain),
            }
        }
        self.measure.push(sum, b"\"");
    }
}

/// Whether JSON wants the byte escaped.
pub(super) fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// How such a byte is written, and in how many of the bytes. Spec: EST-010.
pub(super) fn escaped(byte: u8) -> ([u8; 6], usize) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x09 => b't',
        0x0A => b'n',
        0x0C => b'f',
        0x0D => b'r',
        _ => {
            let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
            return ([b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0x0F)], 6);
        }
    };
    ([b'\\', letter, 0, 0, 0, 0], 2)
}
