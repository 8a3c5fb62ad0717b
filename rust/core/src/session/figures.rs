//! The figures of a session file, or of a part of it. Spec: EST-033.

use super::Line;

/// What a session file holds, or a run of its lines; the figures of tokens are estimates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// All lines, blank and broken ones too.
    pub lines: u64,
    /// Lines that are no JSON object.
    pub broken: u64,
    /// Compactions that left a boundary.
    pub boundaries: u64,
    /// Rows that the client renders in a form which the file does not say.
    pub attachments: u64,
    /// Counted rows that are no side chain's.
    pub rows: u64,
    /// What those cost.
    pub tokens: u64,
    /// The part of `tokens` behind the last boundary; all of them without one.
    pub since_boundary: u64,
    /// Counted rows of sub-agents.
    pub sidechain_rows: u64,
    /// What those cost.
    pub sidechain_tokens: u64,
}

impl Figures {
    /// Takes in the line that comes next.
    pub(super) fn add(&mut self, line: Line) {
        self.lines += 1;
        match line {
            Line::Blank | Line::Other => {}
            Line::Broken => self.broken += 1,
            Line::Attachment => self.attachments += 1,
            Line::Boundary => {
                self.boundaries += 1;
                self.since_boundary = 0;
            }
            Line::Row { is_sidechain: true, tokens } => {
                self.sidechain_rows += 1;
                self.sidechain_tokens += tokens;
            }
            Line::Row { is_sidechain: false, tokens } => {
                self.rows += 1;
                self.tokens += tokens;
                self.since_boundary += tokens;
            }
        }
    }

    /// The figures of these lines with those that follow them.
    #[must_use]
    pub fn followed_by(self, next: Self) -> Self {
        let carried = if next.boundaries == 0 { self.since_boundary } else { 0 };
        Self {
            lines: self.lines + next.lines,
            broken: self.broken + next.broken,
            boundaries: self.boundaries + next.boundaries,
            attachments: self.attachments + next.attachments,
            rows: self.rows + next.rows,
            tokens: self.tokens + next.tokens,
            since_boundary: carried + next.since_boundary,
            sidechain_rows: self.sidechain_rows + next.sidechain_rows,
            sidechain_tokens: self.sidechain_tokens + next.sidechain_tokens,
        }
    }
}
