//! What a session file counts: lines, rows and tokens, at the speed of reading. Spec: EST-033.
//!
//! Mirrors `keel_ref/tokens/transcript.py`. A fast scan takes the lines as they come; it knows no tree, and passes a line
//! on that is odd in a way which it cannot judge (a key written with escapes, a type that stands twice). A slow parser,
//! [`count_line_slowly`], takes those, and is what the fast one is tested against on all others.

mod chunks;
mod figures;
mod measure;
mod number;
mod tree;
mod tree_count;
mod tree_parse;

pub use chunks::{CHUNK_BYTES, count_file};
pub use figures::Figures;
pub use measure::Method;

use measure::{BoundMeasure, RoughMeasure};

/// Objects and lists inside one another; the object of the line is on level 1.
const LEVELS: usize = 200;

/// What one line is. Spec: EST-033.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks, tabs and CR.
    Blank,
    /// No JSON object.
    Broken,
    /// A compaction left it.
    Boundary,
    /// Rendered in a form which the file does not say.
    Attachment,
    /// A row of the conversation, or of a sub-agent, and what it costs in tokens.
    Row { is_sidechain: bool, tokens: u64 },
    /// An object that costs nothing.
    Other,
}

/// The figures of one line, with or without its LF, by the parser that takes any. Spec: EST-033.
pub fn count_line_slowly(line: &[u8], method: Method) -> Figures {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut figures = Figures::default();
    figures.add(match method {
        Method::Documented => tree_count::read_line(line, RoughMeasure),
        Method::Bound(table) => tree_count::read_line(line, BoundMeasure { table }),
    });
    figures
}

/// The figures of whole lines, of which the last ends with its LF before `end`.
fn count_lines(lines: &[u8], end: usize, method: Method) -> Figures {
    let lines = lines.get(..end).unwrap_or_default();
    lines
        .split_inclusive(|&byte| byte == b'\n')
        .fold(Figures::default(), |figures, line| figures.followed_by(count_line_slowly(line, method)))
}
