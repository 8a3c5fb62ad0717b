//! The sum 32 bytes at a time, by look-ups in tables of 16 bytes.
//!
//! A table of more rows is looked up row by row. `vpshufb` gives nothing where the highest bit is set, so a row that
//! begins above a value is silent for it, and each row holds what it differs from the row before (by exclusive or).

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi8, _mm256_add_epi64, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_extract_epi64, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16, _mm256_sub_epi8, _mm256_subs_epi8, _mm256_xor_si256,
};
use std::array;

use super::super::scalar;
use super::codes::{self, ROW_BYTES};
use super::tables::{self, ALL_PAIRS, ASCII, ASCII_PAIRS};
use crate::weights::{CLASSES, Table};

/// Bytes in a vector.
const WIDTH: usize = 32;
/// Vectors looked at together, and bytes in them.
const VECTORS: usize = 4;
const STEP: usize = VECTORS * WIDTH;
/// Rows of the tables.
const WEIGHT_ROWS: usize = ASCII / ROW_BYTES;
const ASCII_PAIR_ROWS: usize = ASCII_PAIRS / ROW_BYTES;
const PAIR_ROWS: usize = ALL_PAIRS / ROW_BYTES - 1; // the last would be empty

/// The first bit of a byte, and the class of what goes on with a character and of what begins one beyond ASCII.
const BEYOND_ASCII: i8 = i8::MIN;
const CONTINUATION: i8 = 6;
const LEAD: i8 = 7;

/// All tables that the sum takes.
struct Tables {
    low_weights: [__m256i; WEIGHT_ROWS],
    high_weights: [__m256i; WEIGHT_ROWS],
    ascii_pairs: [__m256i; ASCII_PAIR_ROWS],
    pairs: [__m256i; PAIR_ROWS],
}

/// Units of the bytes behind the byte before.
#[target_feature(enable = "avx2")]
pub(super) fn sum(table: &Table, before: u8, bytes: &[u8]) -> u64 {
    let tables = Tables::of(table);
    let mut sum = _mm256_setzero_si256();
    let mut before = before;
    let (steps, rest) = bytes.as_chunks::<STEP>();
    for step in steps {
        sum = tables.add::<VECTORS>(sum, before, step);
        before = step.last().copied().unwrap_or(before);
    }
    let (vectors, rest) = rest.as_chunks::<WIDTH>();
    for vector in vectors {
        sum = tables.add::<1>(sum, before, vector);
        before = vector.last().copied().unwrap_or(before);
    }
    total(sum) + scalar::sum(table, before, rest)
}

impl Tables {
    #[target_feature(enable = "avx2")]
    fn of(table: &Table) -> Self {
        let [low, high] = tables::halves::<256, ASCII>(&table.bytes);
        Self {
            low_weights: load_rows(low),
            high_weights: load_rows(high),
            ascii_pairs: load_rows(&codes::pairs(table)),
            pairs: load_rows(&tables::all_pairs(table)),
        }
    }

    /// Adds some vectors of bytes. The quick way is open where all of them are ASCII, and what stands before too.
    #[target_feature(enable = "avx2")]
    fn add<const COUNT: usize>(&self, sum: __m256i, before: u8, bytes: &[u8]) -> __m256i {
        let vectors: [__m256i; COUNT] = load_vectors(bytes);
        let all = vectors.into_iter().fold(_mm256_setzero_si256(), |all, one| _mm256_or_si256(all, one));
        if before.is_ascii() && _mm256_movemask_epi8(all) == 0 {
            self.add_ascii(sum, before, vectors)
        } else {
            self.add_any(sum, before, vectors)
        }
    }

    #[target_feature(enable = "avx2")]
    fn add_ascii<const COUNT: usize>(&self, sum: __m256i, before: u8, bytes: [__m256i; COUNT]) -> __m256i {
        let mut last =
            _mm256_set1_epi8(codes::CODE_OF_BYTE.get(usize::from(before)).map_or(0, |code| code.cast_signed()));
        let mut index = [_mm256_setzero_si256(); COUNT];
        for (index, bytes) in index.iter_mut().zip(bytes) {
            let now = code_of(bytes);
            *index = _mm256_or_si256(_mm256_slli_epi16::<3>(shifted(last, now)), now);
            last = now;
        }
        let sum = add_bytes(sum, look_up(&self.low_weights, bytes));
        add_bytes(sum, look_up(&self.ascii_pairs, index))
    }

    #[target_feature(enable = "avx2")]
    fn add_any<const COUNT: usize>(&self, sum: __m256i, before: u8, bytes: [__m256i; COUNT]) -> __m256i {
        let tens =
            load_row(&array::from_fn(|class| if class < scalar::CLASS_COUNT { 10 * low_byte(class) } else { 0 }));
        let before = CLASSES.get(usize::from(before)).copied().unwrap_or(0);
        let mut last = _mm256_set1_epi8(before.cast_signed());
        let mut index = [_mm256_setzero_si256(); COUNT];
        for (index, bytes) in index.iter_mut().zip(bytes) {
            let now = class_of(bytes);
            *index = _mm256_add_epi8(_mm256_shuffle_epi8(tens, shifted(last, now)), now);
            last = now;
        }
        let others = bytes.map(|bytes| _mm256_xor_si256(bytes, _mm256_set1_epi8(BEYOND_ASCII)));
        let sum = add_bytes(sum, look_up_some(&self.low_weights, bytes));
        let sum = add_bytes(sum, look_up_some(&self.high_weights, others));
        add_bytes(sum, look_up(&self.pairs, index))
    }
}

/// The code of each byte, which has to be ASCII.
#[target_feature(enable = "avx2")]
fn code_of(bytes: __m256i) -> __m256i {
    let eights = _mm256_and_si256(_mm256_srli_epi16::<3>(bytes), _mm256_set1_epi8(0x0F));
    let by_low = _mm256_shuffle_epi8(load_row(&codes::BY_LOW), bytes);
    let key = _mm256_add_epi8(by_low, _mm256_shuffle_epi8(load_row(&codes::BY_EIGHTS), eights));
    _mm256_shuffle_epi8(load_row(&codes::BY_KEY), key)
}

/// The class of each byte.
#[target_feature(enable = "avx2")]
fn class_of(bytes: __m256i) -> __m256i {
    let codes = _mm256_and_si256(code_of(bytes), _mm256_set1_epi8(0x0F)); // what is not ASCII may have any
    let of_ascii = _mm256_shuffle_epi8(load_row(&codes::CLASS_OF_CODE), codes);
    let second_bits = _mm256_add_epi8(bytes, bytes);
    let beyond = _mm256_blendv_epi8(_mm256_set1_epi8(CONTINUATION), _mm256_set1_epi8(LEAD), second_bits);
    _mm256_blendv_epi8(of_ascii, beyond, bytes)
}

/// What stands one byte further on, after the end of what came last.
#[target_feature(enable = "avx2")]
fn shifted(last: __m256i, now: __m256i) -> __m256i {
    _mm256_alignr_epi8::<15>(now, _mm256_permute2x128_si256::<0x21>(last, now))
}

/// The entry for each byte, all of which are below 128.
#[target_feature(enable = "avx2")]
fn look_up<const ROWS: usize, const COUNT: usize>(rows: &[__m256i; ROWS], index: [__m256i; COUNT]) -> [__m256i; COUNT] {
    look_up_by(rows, index, |index| _mm256_sub_epi8(index, _mm256_set1_epi8(16)))
}

/// The entry for each byte below 128; nothing for the others, which stop at the lowest value and so stay silent.
#[target_feature(enable = "avx2")]
fn look_up_some<const ROWS: usize, const COUNT: usize>(
    rows: &[__m256i; ROWS],
    index: [__m256i; COUNT],
) -> [__m256i; COUNT] {
    look_up_by(rows, index, |index| _mm256_subs_epi8(index, _mm256_set1_epi8(16)))
}

/// The entry for each byte, looked up row by row; `next` takes the bytes of a row to the place of those of the row before.
#[target_feature(enable = "avx2")]
fn look_up_by<const ROWS: usize, const COUNT: usize>(
    rows: &[__m256i; ROWS],
    index: [__m256i; COUNT],
    next: impl Fn(__m256i) -> __m256i,
) -> [__m256i; COUNT] {
    let mut index = index;
    let mut found = [_mm256_setzero_si256(); COUNT];
    for &row in rows {
        for (found, index) in found.iter_mut().zip(&mut index) {
            *found = _mm256_xor_si256(*found, _mm256_shuffle_epi8(row, *index));
            *index = next(*index);
        }
    }
    found
}

/// Adds all bytes, eight to each counter of 64 bits.
#[target_feature(enable = "avx2")]
fn add_bytes<const COUNT: usize>(sum: __m256i, bytes: [__m256i; COUNT]) -> __m256i {
    let zero = _mm256_setzero_si256();
    bytes.into_iter().fold(sum, |sum, bytes| _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero)))
}

/// The counters added up.
#[target_feature(enable = "avx2")]
fn total(sum: __m256i) -> u64 {
    let counters = [
        _mm256_extract_epi64::<0>(sum),
        _mm256_extract_epi64::<1>(sum),
        _mm256_extract_epi64::<2>(sum),
        _mm256_extract_epi64::<3>(sum),
    ];
    counters.into_iter().map(i64::cast_unsigned).sum()
}

/// The table in rows, each as what it differs from the row before.
#[target_feature(enable = "avx2")]
fn load_rows<const BYTES: usize, const ROWS: usize>(table: &[u8; BYTES]) -> [__m256i; ROWS] {
    let (rows, _) = table.as_chunks::<ROW_BYTES>();
    let mut before = _mm256_setzero_si256();
    let mut loaded = [before; ROWS];
    for (place, row) in loaded.iter_mut().zip(rows) {
        let row = load_row(row);
        *place = _mm256_xor_si256(row, before);
        before = row;
    }
    loaded
}

#[target_feature(enable = "avx2")]
fn load_vectors<const COUNT: usize>(bytes: &[u8]) -> [__m256i; COUNT] {
    let (vectors, _) = bytes.as_chunks::<WIDTH>();
    array::from_fn(|at| vectors.get(at).map_or(_mm256_setzero_si256(), |vector| load(vector)))
}

#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; WIDTH]) -> __m256i {
    // SAFETY: the 32 bytes belong to the array, and the load asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The row twice, since each half of a vector looks up by itself.
#[target_feature(enable = "avx2")]
fn load_row(row: &[u8; ROW_BYTES]) -> __m256i {
    // SAFETY: the 16 bytes belong to the array, and the load asks for no alignment.
    let once = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
    _mm256_broadcastsi128_si256(once)
}

/// A number below 256.
const fn low_byte(number: usize) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low
}
