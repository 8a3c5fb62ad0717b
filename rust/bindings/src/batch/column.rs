//! The texts of Arrow columns, counted by several threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray};

use crate::text::Measure;

/// Rows that a thread takes at once.
const BLOCK_ROWS: usize = 1024;
/// Rows from which on more than one thread pays.
const THREADS_FROM_ROWS: usize = 4 * BLOCK_ROWS;
/// More threads than this only wait for memory.
const THREADS_AT_MOST: usize = 8;

/// One chunk of a column of texts.
pub(super) enum Column<'a> {
    /// Offsets of 32 bits.
    Short(&'a GenericStringArray<i32>),
    /// Offsets of 64 bits.
    Long(&'a GenericStringArray<i64>),
    /// Short texts in place, long ones elsewhere.
    View(&'a StringViewArray),
    /// So many nulls.
    Nulls(usize),
}

/// The chunks as columns of texts, if that is what they are.
pub(super) fn columns_of(chunks: &[ArrayRef]) -> Option<Vec<Column<'_>>> {
    chunks.iter().map(column_of).collect()
}

fn column_of(chunk: &ArrayRef) -> Option<Column<'_>> {
    let nulls = || chunk.as_any().is::<arrow_array::NullArray>().then(|| Column::Nulls(chunk.len()));
    let short = || chunk.as_string_opt().map(Column::Short);
    let long = || chunk.as_string_opt().map(Column::Long);
    short().or_else(long).or_else(|| chunk.as_string_view_opt().map(Column::View)).or_else(nulls)
}

impl Column<'_> {
    fn rows(&self) -> usize {
        match self {
            Self::Short(array) => array.len(),
            Self::Long(array) => array.len(),
            Self::View(array) => array.len(),
            Self::Nulls(rows) => *rows,
        }
    }

    /// The bytes of the text in the row; nothing where it is null.
    fn text(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Short(array) => text_of(*array, row),
            Self::Long(array) => text_of(*array, row),
            Self::View(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Self::Nulls(_) => None,
        }
    }
}

fn text_of<Offset: OffsetSizeTrait>(array: &GenericStringArray<Offset>, row: usize) -> Option<&[u8]> {
    array.is_valid(row).then(|| array.value(row).as_bytes())
}

/// Tokens of each row of the columns, one column behind the other.
pub(super) fn tokens_of_columns(columns: &[Column<'_>], measure: &Measure) -> Vec<u64> {
    let rows = columns.iter().map(Column::rows).sum();
    let mut tokens = vec![0; rows];
    let mut rest = tokens.as_mut_slice();
    let mut blocks = Vec::new();
    for column in columns {
        let (of_column, behind) = rest.split_at_mut_checked(column.rows()).unwrap_or_default();
        rest = behind;
        blocks.extend(of_column.chunks_mut(BLOCK_ROWS).enumerate().map(|(at, block)| (column, at * BLOCK_ROWS, block)));
    }
    let blocks = Mutex::new(blocks.into_iter());
    let work = || {
        while let Some((column, first_row, tokens)) = {
            let mut left = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            left.next()
        } {
            for (tokens, row) in tokens.iter_mut().zip(first_row..) {
                *tokens = column.text(row).map_or(0, |text| measure.tokens_of_utf8(text));
            }
        }
    };
    let others = if rows < THREADS_FROM_ROWS { 0 } else { threads() - 1 };
    thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(work);
        }
        work();
    });
    tokens
}

/// How many threads to take, with the one that asks.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(THREADS_AT_MOST)
}
