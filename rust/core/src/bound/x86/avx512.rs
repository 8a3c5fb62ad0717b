//! The sum 64 bytes at a time, by look-ups in tables of 64 and 128 bytes (VBMI).

use std::arch::x86_64::{
    __m512i, __mmask64, _mm512_add_epi8, _mm512_cmpge_epu8_mask, _mm512_dpbusd_epi32, _mm512_loadu_si512,
    _mm512_mask_mov_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_reduce_add_epi32, _mm512_set1_epi8, _mm512_setzero_si512,
};
use std::array;

use super::super::scalar;
use super::tables::{self, ALL_PAIRS, ASCII, ASCII_PAIRS};
use crate::weights::Table;

/// Bytes in a vector.
const WIDTH: usize = 64;
/// Vectors looked at together, and bytes in them.
const VECTORS: usize = 4;
const STEP: usize = VECTORS * WIDTH;
/// Bytes whose units fit a counter of 32 bits: of each vector, four bytes and four pairs go to each of 16 counters.
const BLOCK_BYTES: usize = 1 << 20;
/// The lowest byte that begins a character beyond ASCII; what is neither this nor ASCII goes on with one.
const LEAD_FROM: i8 = 0xC0_u8.cast_signed();
/// The class of what goes on with a character, and of what begins one beyond ASCII.
const CONTINUATION: i8 = 6;
const LEAD: i8 = 7;
/// Ten of a class before, in the table of pairs.
const ROW: i8 = 10;

/// A table of 128 bytes.
#[derive(Clone, Copy)]
struct Table128(__m512i, __m512i);

/// All tables that the sum takes.
struct Tables {
    low_weights: Table128,
    high_weights: Table128,
    ascii_now: Table128,
    ascii_before: Table128,
    ascii_pairs: __m512i,
    class_now: Table128,
    class_before: Table128,
    pairs: Table128,
}

/// Units of the bytes behind the byte before.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
pub(super) fn sum(table: &Table, before: u8, bytes: &[u8]) -> u64 {
    let Some(&first) = bytes.first() else { return 0 };
    let mut units = scalar::one(table, before, first);
    let tables = Tables::of(table);
    let mut rest = bytes; // its first byte has been counted and stands before the others
    while rest.len() > 1 {
        let end = rest.len().min(1 + BLOCK_BYTES);
        units += u64::from(tables.sum_block(rest.get(..end).unwrap_or_default()));
        rest = rest.get(end - 1..).unwrap_or_default();
    }
    units
}

impl Tables {
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn of(table: &Table) -> Self {
        let ascii_pairs: [u8; ASCII_PAIRS] = tables::ascii_pairs(table);
        let pairs: [u8; ALL_PAIRS] = tables::all_pairs(table);
        let [low, high] = tables::halves(&table.bytes);
        Self {
            low_weights: load_table(low),
            high_weights: load_table(high),
            ascii_now: load_table(&tables::ASCII_NOW),
            ascii_before: load_table(&tables::ASCII_BEFORE),
            ascii_pairs: load(&ascii_pairs),
            class_now: load_table(&tables::CLASS_NOW),
            class_before: load_table(&tables::CLASS_BEFORE),
            pairs: load_table(&pairs),
        }
    }

    /// Units of all bytes of the block but the first, which only stands before.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn sum_block(&self, block: &[u8]) -> u32 {
        let (Some((_, nows)), Some((_, befores))) = (block.split_first(), block.split_last()) else { return 0 };
        let mut sums = [_mm512_setzero_si512(); VECTORS];
        let (now_steps, now_rest) = nows.as_chunks::<STEP>();
        let (before_steps, before_rest) = befores.as_chunks::<STEP>();
        for (before, now) in before_steps.iter().zip(now_steps) {
            self.add_step(&mut sums, before, now);
        }
        let [sum, ..] = &mut sums;
        for (before, now) in before_rest.chunks(WIDTH).zip(now_rest.chunks(WIDTH)) {
            let present = u64::MAX >> (WIDTH - now.len());
            *sum = self.add_any(*sum, load_some(before, present), load_some(now, present), present);
        }
        sums.into_iter().map(|sum| _mm512_reduce_add_epi32(sum).cast_unsigned()).sum()
    }

    /// Adds several vectors of bytes. The quick way is open where all of them are ASCII, and what stands before too.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn add_step(&self, sums: &mut [__m512i; VECTORS], before: &[u8; STEP], now: &[u8; STEP]) {
        let befores = load_step(before);
        let nows = load_step(now);
        let [first, ..] = befores;
        let all = nows.into_iter().fold(first, |all, one| _mm512_or_si512(all, one));
        let vectors = befores.into_iter().zip(nows);
        if _mm512_movepi8_mask(all) == 0 {
            for (sum, (before, now)) in sums.iter_mut().zip(vectors) {
                *sum = self.add_ascii(*sum, before, now);
            }
        } else {
            for (sum, (before, now)) in sums.iter_mut().zip(vectors) {
                *sum = self.add_any(*sum, before, now, u64::MAX);
            }
        }
    }

    /// Adds bytes of ASCII behind bytes of ASCII.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn add_ascii(&self, sum: __m512i, before: __m512i, now: __m512i) -> __m512i {
        let index = _mm512_or_si512(self.ascii_before.look_up(before), self.ascii_now.look_up(now));
        let pairs = _mm512_permutexvar_epi8(index, self.ascii_pairs);
        add_bytes(add_bytes(sum, self.low_weights.look_up(now)), pairs)
    }

    /// Adds bytes of any kind, those of them that are present.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn add_any(&self, sum: __m512i, before: __m512i, now: __m512i, present: __mmask64) -> __m512i {
        let beyond_ascii = _mm512_movepi8_mask(now);
        let (low, high) = (self.low_weights.look_up(now), self.high_weights.look_up(now));
        let weights = _mm512_mask_mov_epi8(low, beyond_ascii, high);
        let row = class_of(&self.class_before, before, ROW);
        let pairs = self.pairs.look_up(_mm512_add_epi8(row, class_of(&self.class_now, now, 1)));
        let (weights, pairs) = (_mm512_maskz_mov_epi8(present, weights), _mm512_maskz_mov_epi8(present, pairs));
        add_bytes(add_bytes(sum, weights), pairs)
    }
}

impl Table128 {
    /// The entry for each byte, by its lower seven bits.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
    fn look_up(&self, bytes: __m512i) -> __m512i {
        _mm512_permutex2var_epi8(self.0, bytes, self.1)
    }
}

/// The class of each byte, so many times.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn class_of(of_ascii: &Table128, bytes: __m512i, times: i8) -> __m512i {
    let beyond_ascii = _mm512_movepi8_mask(bytes);
    let leads = _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(LEAD_FROM));
    let classes = of_ascii.look_up(bytes);
    let classes = _mm512_mask_mov_epi8(classes, beyond_ascii, _mm512_set1_epi8(times * CONTINUATION));
    _mm512_mask_mov_epi8(classes, leads, _mm512_set1_epi8(times * LEAD))
}

/// Adds all bytes, four to each counter of 32 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn add_bytes(sum: __m512i, bytes: __m512i) -> __m512i {
    _mm512_dpbusd_epi32(sum, bytes, _mm512_set1_epi8(1))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn load_step(bytes: &[u8; STEP]) -> [__m512i; VECTORS] {
    let (vectors, _) = bytes.as_chunks::<WIDTH>();
    array::from_fn(|at| vectors.get(at).map_or(_mm512_setzero_si512(), |vector| load(vector)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn load_table(bytes: &[u8; ASCII]) -> Table128 {
    let [low, high] = tables::halves(bytes);
    Table128(load(low), load(high))
}

#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; WIDTH]) -> __m512i {
    // SAFETY: the 64 bytes belong to the array, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The bytes, followed by zeros; `present` has a bit for each of them.
#[target_feature(enable = "avx512f,avx512bw")]
fn load_some(bytes: &[u8], present: __mmask64) -> __m512i {
    let count = bytes.len().min(WIDTH);
    debug_assert!(count.is_multiple_of(WIDTH) || present >> count == 0);
    // SAFETY: nothing is read but what `present` has bits for, which lies in the slice.
    unsafe { _mm512_maskz_loadu_epi8(present, bytes.as_ptr().cast()) }
}
