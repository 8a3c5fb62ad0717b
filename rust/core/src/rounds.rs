//! How a list falls into rounds, row by row. Mirrors `keel_ref/messages/rounds.py`. Spec: MSG-010 to MSG-015.

/// What a row is to the grouping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<I> {
    /// A row of the model with its response id.
    Assistant(Option<I>),
    /// Any other row, or what is none. Spec: MSG-010, MSG-013.
    Other,
}

/// Groups rows while they arrive. An id is whatever compares equal for equal ids. Spec: MSG-015.
#[derive(Debug, Clone)]
pub struct Grouper<I> {
    last: Option<I>,
    is_empty: bool,
}

impl<I> Default for Grouper<I> {
    fn default() -> Self {
        Self { last: None, is_empty: true }
    }
}

impl<I: PartialEq> Grouper<I> {
    /// Takes the next row in; whether it opens a round.
    pub fn add(&mut self, row: Row<I>) -> bool {
        let is_first = core::mem::replace(&mut self.is_empty, false);
        let Row::Assistant(own) = row else {
            return is_first; // [MSG-011] what comes before the first answer is the first round
        };
        let differs = own.is_none() || own != self.last; // [MSG-010] [MSG-012] no id equals no other
        self.last = own;
        differs || is_first
    }
}
