//! Reads a line as JSON, by the grammar of RFC 8259 and to a bounded depth. Spec: EST-033.

use super::LEVELS;
use super::decode::encode;
use super::number::read_number;
use super::strings::hexadecimal;
use super::tree::{Object, Value};

/// The object that the line says; None for a broken line.
pub(super) fn parse_line(line: &[u8]) -> Option<Object<'_>> {
    str::from_utf8(line).ok()?; // [EST-033]
    let mut parser = Parser { bytes: line, at: 0 };
    parser.skip_blanks();
    let value = parser.value(1)?;
    parser.skip_blanks();
    match value {
        Value::Object(object) if parser.at == line.len() => Some(object),
        _ => None,
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The value at this place, which would be on the level if it is an object or a list.
    fn value(&mut self, level: usize) -> Option<Value<'a>> {
        match self.peek()? {
            b'{' => self.object(level),
            b'[' => self.list(level),
            b'"' => self.text().map(Value::Text),
            b't' => self.word(b"true", Value::Bool(true)),
            b'f' => self.word(b"false", Value::Bool(false)),
            b'n' => self.word(b"null", Value::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8], value: Value<'a>) -> Option<Value<'a>> {
        self.bytes.get(self.at..)?.starts_with(word).then(|| self.at += word.len())?;
        Some(value)
    }

    fn number(&mut self) -> Option<Value<'a>> {
        let number = read_number(self.bytes.get(self.at..)?)?;
        let digits = self.bytes.get(self.at..self.at + number.size)?;
        self.at += number.size;
        Some(Value::Number(digits))
    }

    fn object(&mut self, level: usize) -> Option<Value<'a>> {
        let mut object = Object::default();
        self.open(level)?;
        if self.take(b'}').is_some() {
            return Some(Value::Object(object));
        }
        loop {
            self.skip_blanks();
            let key = self.text()?;
            self.skip_blanks();
            self.take(b':')?;
            self.skip_blanks();
            let value = self.value(level + 1)?;
            object.insert(key, value); // [EST-033] a key that stands twice has its last value
            self.skip_blanks();
            if self.take(b',').is_none() {
                self.take(b'}')?;
                return Some(Value::Object(object));
            }
        }
    }

    fn list(&mut self, level: usize) -> Option<Value<'a>> {
        let mut items = Vec::new();
        self.open(level)?;
        if self.take(b']').is_some() {
            return Some(Value::List(items));
        }
        loop {
            self.skip_blanks();
            items.push(self.value(level + 1)?);
            self.skip_blanks();
            if self.take(b',').is_none() {
                self.take(b']')?;
                return Some(Value::List(items));
            }
        }
    }

    /// Steps over the bracket and what blanks follow it, unless it stands too deep.
    fn open(&mut self, level: usize) -> Option<()> {
        if level > LEVELS {
            return None; // [EST-033]
        }
        self.at += 1;
        self.skip_blanks();
        Some(())
    }

    fn text(&mut self) -> Option<Vec<u8>> {
        self.take(b'"')?;
        let mut text = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return Some(text),
                b'\\' => self.escape(&mut text)?,
                0..0x20 => return None,
                _ => text.push(byte),
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        text.push(match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => return self.code_point(text),
            _ => return None,
        });
        Some(())
    }

    /// The character that a `\u` writes, with the one behind it if they are two halves.
    fn code_point(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let unit = hexadecimal(self.bytes, self.at)?;
        self.at += 4;
        let mut code_point = u32::from(unit);
        if (0xD800..0xDC00).contains(&unit)
            && self.bytes.get(self.at..self.at + 2) == Some(b"\\u")
            && let Some(low) = hexadecimal(self.bytes, self.at + 2)
            && (0xDC00..0xE000).contains(&low)
        {
            self.at += 6;
            code_point = 0x1_0000 + ((code_point & 0x3FF) << 10) + (u32::from(low) & 0x3FF);
        }
        push_code_point(text, code_point);
        Some(())
    }
}

/// Adds the UTF-8 form of a code point, in which a surrogate has three bytes.
fn push_code_point(text: &mut Vec<u8>, code_point: u32) {
    let mut bytes = [0; 6];
    let size = encode(code_point, &mut bytes);
    text.extend_from_slice(bytes.get(..size).unwrap_or_default());
}
