//! The serialised form of a value that is stepped through. Spec: EST-010.

use super::measure::Measure;
use super::number::write_form;
use super::scanner::{Step, Stop};
use super::strings::Strings;
use super::walk::Walk;

/// Keys of one object that are compared with one another; an object with more is for the parser of trees.
const KEYS_AT_MOST: usize = 16;

impl<S: Strings, M: Measure> Walk<'_, S, M> {
    /// Adds the serialised form of the value, which stands on the level if it is an object or a list.
    pub(super) fn push_form(&mut self, sum: &mut M::Sum, level: usize) -> Step<()> {
        match self.scanner.peek() {
            b'"' => {
                let string = self.scanner.string()?;
                self.measure.push_form(sum, self.scanner.raw(string), &string.scanned);
            }
            b'{' => self.push_object(sum, level)?,
            b'[' => {
                let mut is_first = true;
                self.scanner.open(level)?;
                self.measure.push(sum, b"[");
                loop {
                    let was_first = is_first;
                    if !self.scanner.next(&mut is_first, b']')? {
                        break;
                    }
                    if !was_first {
                        self.measure.push(sum, b",");
                    }
                    self.push_form(sum, level + 1)?;
                }
                self.measure.push(sum, b"]");
            }
            b't' | b'f' | b'n' => {
                let word = self.scanner.word()?;
                self.measure.push(sum, word);
            }
            _ => {
                let (number, digits) = self.scanner.number()?;
                write_form(number, digits, |part| self.measure.push(sum, part));
            }
        }
        Ok(())
    }

    fn push_object(&mut self, sum: &mut M::Sum, level: usize) -> Step<()> {
        let mut keys: [&[u8]; KEYS_AT_MOST] = [b""; KEYS_AT_MOST];
        let mut count = 0;
        let mut is_first = true;
        self.scanner.open(level)?;
        self.measure.push(sum, b"{");
        while let Some(key) = self.scanner.next_key(&mut is_first)? {
            let name = self.scanner.plain(key)?; // with escapes, two ways to write it could be one key
            let Some(place) = keys.get_mut(count) else { return Err(Stop::Odd) };
            *place = name;
            if keys.iter().take(count).any(|other| *other == name) {
                return Err(Stop::Odd); // [EST-033] the value before would not count
            }
            if count > 0 {
                self.measure.push(sum, b",");
            }
            count += 1;
            self.measure.push_form(sum, name, &key.scanned);
            self.measure.push(sum, b":");
            self.push_form(sum, level + 1)?;
        }
        self.measure.push(sum, b"}");
        Ok(())
    }
}
