//! What a session file counts: lines, rows and tokens, at the speed of reading. Spec: EST-033.
//!
//! Mirrors `keel_ref/tokens/transcript.py`. A fast scan takes the lines as they come; it knows no tree, and passes a line
//! on that is odd in a way which it cannot judge (a key written with escapes, a type that stands twice). A slow parser,
//! [`count_line_slowly`], takes those, and is what the fast one is tested against on all others.

mod block;
mod chunks;
mod decode;
mod figures;
mod form;
mod measure;
mod number;
mod scanner;
mod strings;
mod tree;
mod tree_count;
mod tree_parse;
mod walk;

pub use chunks::{CHUNK_BYTES, count_file, count_file_in_chunks};
pub use figures::Figures;
pub use measure::Method;

use measure::{BoundMeasure, Measure, RoughMeasure};
use memchr::memchr;
use scanner::{Scanner, Stop};
use strings::Strings;
use walk::Walk;

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

/// Which instructions scan a session file. All of them give the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanPath {
    /// Eight bytes at a time, on every machine.
    Portable,
    /// 64 bytes at a time: x86-64 with AVX2.
    Avx2,
    /// 64 bytes at a time: x86-64 with AVX-512.
    Avx512,
}

impl ScanPath {
    /// All of them, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];
}

/// The figures of whole lines by the fastest path; the last line ends with its LF before `end`.
fn count_lines(lines: &[u8], end: usize, method: Method) -> Figures {
    let mut fastest = ScanPath::ALL.into_iter().rev();
    fastest.find_map(|path| count_lines_on(path, lines, end, method)).unwrap_or_default()
}

/// The figures of whole lines by one path; None where the machine cannot take it.
///
/// The last line ends with an LF right before `end`, and at least 64 bytes of anything stand behind that.
pub fn count_lines_on(path: ScanPath, lines: &[u8], end: usize, method: Method) -> Option<Figures> {
    match path {
        ScanPath::Portable => Some(count_by(strings::Portable, lines, end, method)),
        #[cfg(target_arch = "x86_64")]
        ScanPath::Avx2 => strings::Avx2::find().map(|strings| count_by(strings, lines, end, method)),
        #[cfg(target_arch = "x86_64")]
        ScanPath::Avx512 => strings::Avx512::find().map(|strings| count_by(strings, lines, end, method)),
        #[cfg(not(target_arch = "x86_64"))]
        ScanPath::Avx2 | ScanPath::Avx512 => None,
    }
}

fn count_by(strings: impl Strings, lines: &[u8], end: usize, method: Method) -> Figures {
    match method {
        Method::Documented => count(strings, RoughMeasure, lines, end),
        Method::Bound(table) => count(strings, BoundMeasure { table }, lines, end),
    }
}

fn count<S: Strings, M: Measure>(strings: S, measure: M, lines: &[u8], end: usize) -> Figures {
    let mut figures = Figures::default();
    let mut at = 0;
    let mut repeated: &[u8] = b"";
    while at < end {
        let mut walk = Walk { scanner: Scanner::new(lines, at, strings), measure, repeated };
        let stop = match walk.line() {
            Ok(line) => {
                repeated = walk.repeated;
                figures.add(line);
                at = walk.scanner.at + 1;
                continue;
            }
            Err(stop) => stop,
        };
        let rest = lines.get(at..end).unwrap_or_default();
        let line = memchr(b'\n', rest).and_then(|size| rest.get(..size)).unwrap_or(rest);
        figures.add(match stop {
            Stop::Broken => Line::Broken,
            Stop::Odd => tree_count::read_line(line, measure),
        });
        at += line.len() + 1;
    }
    figures
}
