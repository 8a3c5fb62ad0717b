//! Where rounds begin in a list of plain rows, with nothing held and each dict looked at once. Spec: MSG-010 to MSG-015.
//!
//! Four steps follow one another through the list at some distance, each asking for what the next one needs: the dicts,
//! their tables, the texts of role and id, and what these say.

use keel_core::rounds::{Grouper, Row};
use keel_core::text::Text;
use pyo3::prelude::*;

use crate::messages::ahead::{fetch_object, fetch_table, fetch_text};
use crate::messages::lent::{self, Entries, Items, Lent};

/// Rows between one step and the next.
const DISTANCE: usize = 8;

/// What the grouping looks at.
#[derive(Clone, Copy, Default)]
struct Found<'a, 'py> {
    role: Option<Lent<'a, 'py>>,
    id: Option<Lent<'a, 'py>>,
}

/// Where rounds begin, and how many rows there are; nothing where a row is not plain.
pub(super) fn starts(rows: Items<'_, '_>) -> Option<(Vec<usize>, usize)> {
    let mut grouper = Grouper::default();
    let mut starts = Vec::new();
    let mut waiting = [Found::default(); DISTANCE];
    let size = rows.len();
    for place in 0..size + DISTANCE {
        rows.get(place + 2 * DISTANCE).into_iter().for_each(fetch_object);
        rows.get(place + DISTANCE).into_iter().for_each(fetch_table);
        let slot = waiting.get_mut(place % DISTANCE)?;
        if place >= DISTANCE && grouper.add(slot.row()?) {
            starts.push(place - DISTANCE);
        }
        if let Some(row) = rows.get(place) {
            *slot = Found::of(row)?;
        }
    }
    Some((starts, size))
}

impl<'a, 'py> Found<'a, 'py> {
    fn of(row: Lent<'a, 'py>) -> Option<Self> {
        let mut found = Self::default();
        for (key, value) in Entries::of(row)? {
            let place = match lent::text(key)? {
                Text::Ascii(b"role") => &mut found.role,
                Text::Ascii(b"id") => &mut found.id,
                _ => continue,
            };
            fetch_text(value);
            *place = Some(value);
        }
        Some(found)
    }

    /// What the row is to the grouping. Spec: MSG-001.
    fn row(self) -> Option<Row<Text<'a>>> {
        let Some(role) = self.role else { return Some(Row::Other) };
        if lent::text(role)? != Text::Ascii(b"assistant") {
            return Some(Row::Other);
        }
        let Some(id) = self.id.filter(|id| !id.is_none()) else { return Some(Row::Assistant(None)) };
        let id = lent::text(id)?;
        Some(Row::Assistant((id != Text::Ascii(b"")).then_some(id))) // [MSG-012]
    }
}
