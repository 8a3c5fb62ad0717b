//! What a block costs, while its keys are stepped through in whatever order they stand. Spec: EST-005 to EST-011.

use super::measure::Measure;
use super::scanner::{Step, Stop};
use super::strings::Strings;
use super::walk::Walk;

/// Levels down to which a part that stood before the type of its block is gone back to; each may do so once more.
const LEVELS_GONE_BACK_TO: usize = 16;

/// What the type of a block makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    RedactedThinking,
    Call,
    Result,
    Media,
    /// Of another type or of none.
    Other,
}

impl Kind {
    fn of(name: &[u8]) -> Self {
        match name {
            b"text" => Self::Text,
            b"thinking" => Self::Thinking,
            b"redacted_thinking" => Self::RedactedThinking,
            b"tool_use" => Self::Call,
            b"tool_result" => Self::Result,
            b"image" | b"document" => Self::Media,
            _ => Self::Other,
        }
    }

    /// The key of the part that may be large.
    fn main_key(self) -> Option<&'static [u8]> {
        match self {
            Self::Text => Some(b"text"),
            Self::Thinking => Some(b"thinking"),
            Self::RedactedThinking => Some(b"data"),
            Self::Call => Some(b"input"),
            Self::Result => Some(b"content"),
            Self::Media | Self::Other => None,
        }
    }
}

/// Where the values of those keys stand whose cost is asked for in the end.
#[derive(Default)]
struct Places {
    text: Option<usize>,
    thinking: Option<usize>,
    data: Option<usize>,
    input: Option<usize>,
    content: Option<usize>,
    name: Option<usize>,
    id: Option<usize>,
    tool_use_id: Option<usize>,
}

impl Places {
    fn of(&mut self, key: &[u8]) -> Option<&mut Option<usize>> {
        match key {
            b"text" => Some(&mut self.text),
            b"thinking" => Some(&mut self.thinking),
            b"data" => Some(&mut self.data),
            b"input" => Some(&mut self.input),
            b"content" => Some(&mut self.content),
            b"name" => Some(&mut self.name),
            b"id" => Some(&mut self.id),
            b"tool_use_id" => Some(&mut self.tool_use_id),
            _ => None,
        }
    }
}

/// A part that was measured as it was stepped over.
enum Main<Sum> {
    Tokens(u64),
    Input(Sum),
}

impl<S: Strings, M: Measure> Walk<'_, S, M> {
    /// The kind of the object at this place, and what it costs without what a block adds by itself.
    pub(super) fn fields(&mut self, level: usize) -> Step<(Kind, u64)> {
        let start = self.scanner.at;
        let mut kind = None;
        let mut places = Places::default();
        let mut main = None;
        let mut is_first = true;
        self.scanner.open(level)?;
        while let Some(key) = self.scanner.next_key(&mut is_first)? {
            let key = self.scanner.plain(key)?;
            if key == b"type" {
                if kind.is_some() {
                    return Err(Stop::Odd); // what has been measured may not be what counts
                }
                kind = Some(self.name()?.map_or(Kind::Other, Kind::of));
            } else if kind.and_then(Kind::main_key) == Some(key) {
                main = Some(self.main(kind.unwrap_or(Kind::Other), level)?); // the last value of a key is the one
            } else {
                if let Some(place) = places.of(key) {
                    *place = Some(self.scanner.at);
                }
                self.scanner.skip_value(level + 1)?;
            }
        }
        let kind = kind.unwrap_or(Kind::Other);
        Ok((kind, self.cost(kind, main, &places, start, level)?))
    }

    /// The large part of a block of that kind, at this place.
    fn main(&mut self, kind: Kind, level: usize) -> Step<Main<M::Sum>> {
        match kind {
            Kind::Result => self.content(level + 1).map(Main::Tokens), // [EST-006]
            Kind::Call => {
                let mut sum = self.measure.empty();
                if self.scanner.peek() == b'n' {
                    self.scanner.word()?;
                    self.measure.push(&mut sum, b"{}"); // [EST-007] [EST-026]
                } else {
                    self.push_form(&mut sum, level + 1)?;
                }
                Ok(Main::Input(sum))
            }
            _ => self.text_or_odd(level + 1).map(Main::Tokens), // [EST-005] [EST-008]
        }
    }

    /// What a block costs whose end has been seen.
    fn cost(
        &mut self,
        kind: Kind,
        mut main: Option<Main<M::Sum>>,
        places: &Places,
        start: usize,
        level: usize,
    ) -> Step<u64> {
        let before_type = match kind {
            Kind::Text => places.text,
            Kind::Thinking => places.thinking,
            Kind::RedactedThinking => places.data,
            Kind::Call => places.input,
            Kind::Result => places.content,
            Kind::Media => return Ok(self.measure.media()), // [EST-011]
            Kind::Other => return self.go_back(start, level, |walk| walk.text_form(level)), // [EST-009]
        };
        if main.is_none()
            && let Some(place) = before_type
        {
            main = Some(self.go_back(place, level, |walk| walk.main(kind, level))?);
        }
        match (kind, main) {
            (Kind::Call, main) => self.call(main, places, level),
            (Kind::Result, main) => Ok(tokens_of(main.as_ref()) + self.id(places.tool_use_id, level)?), // [EST-032]
            (_, main) => Ok(tokens_of(main.as_ref())),
        }
    }

    fn call(&mut self, main: Option<Main<M::Sum>>, places: &Places, level: usize) -> Step<u64> {
        let mut sum = if let Some(Main::Input(sum)) = main {
            sum
        } else {
            let mut sum = self.measure.empty();
            self.measure.push(&mut sum, b"{}"); // [EST-007] [EST-026]
            sum
        };
        if M::COUNTS_IDS {
            // [EST-032] three texts
            return Ok(self.measure.tokens(&sum) + self.id(places.name, level)? + self.id(places.id, level)?);
        }
        if let Some(place) = places.name {
            // [EST-007] one text; in which order its parts are added does not change its size
            self.go_back(place, 0, |walk| walk.push_text_or_odd(&mut sum, level + 1))?;
        }
        Ok(self.measure.tokens(&sum))
    }

    /// What a name or an id costs where it counts by itself.
    fn id(&mut self, place: Option<usize>, level: usize) -> Step<u64> {
        match place {
            Some(place) if M::COUNTS_IDS => self.go_back(place, 0, |walk| walk.text_or_odd(level + 1)),
            _ => Ok(0), // [EST-006] [EST-026]
        }
    }

    /// Measures what was stepped over at that place, in a block on the level.
    fn go_back<T>(&mut self, place: usize, level: usize, measure: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if level > LEVELS_GONE_BACK_TO {
            return Err(Stop::Odd); // so that no line is stepped through more than a few times
        }
        let at = std::mem::replace(&mut self.scanner.at, place);
        let measured = measure(self)?;
        self.scanner.at = at;
        Ok(measured)
    }
}

/// What the large part of a block costs; what is missing costs nothing. Spec: EST-026.
fn tokens_of<Sum>(main: Option<&Main<Sum>>) -> u64 {
    match main {
        Some(Main::Tokens(tokens)) => *tokens,
        _ => 0,
    }
}
