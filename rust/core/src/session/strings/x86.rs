//! Blocks in the registers of x86-64.
//!
//! Unsafe are the loads from memory, and the calls of functions that need instructions which the machine was asked for.

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
    _mm_set1_epi8, _mm_setr_epi8, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
    _mm256_loadu_si256, _mm256_max_epu8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask, _mm512_cmplt_epi8_mask, _mm512_cmplt_epu8_mask, _mm512_loadu_si512,
    _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_test_epi8_mask,
};

use super::blocks::{Block, Letters, Marks, find_special, scan};
use super::{Scanned, Strings};

/// Bytes below this one, taken for signed ones, continue a character.
const BEHIND_CONTINUATIONS: i8 = -0x40;
/// The first byte that begins a character of four bytes, taken for a signed one.
const LEAD_OF_FOUR: i8 = -0x10;
const QUOTE: i8 = 0x22;
const BACKSLASH: i8 = 0x5C;
const SLASH: i8 = 0x2F;
const SMALL_U: i8 = 0x75;
const BLANK: i8 = 0x20;
const LOWER_HALF: i8 = 0x0F;

/// Both tables of the letters of escapes but `u` and `/`, for a lookup by halves of a byte: the letter stands in both entries.
///
/// By the lower half: with which upper halves it is a letter; 2, 5, 6 and 7 are the bits 0 to 3. By the upper half: its bit.
macro_rules! letters {
    (low) => {
        _mm_setr_epi8(0, 0, 0b1101, 0, 0b1000, 0, 0b0100, 0, 0, 0, 0, 0, 0b0010, 0, 0b0100, 0)
    };
    (high) => {
        _mm_setr_epi8(0, 0, 0b0001, 0, 0, 0b0010, 0b0100, 0b1000, 0, 0, 0, 0, 0, 0, 0, 0)
    };
}

/// Which of the next 16 bytes are special, by what every x86-64 has: most keys end among them.
#[inline]
fn specials_of_16(bytes: &[u8], start: usize) -> u32 {
    let Some(block) = bytes.get(start..).and_then(<[u8]>::first_chunk::<16>) else { return 0 };
    // SAFETY: there are 16 bytes behind the pointer, and no alignment is asked for.
    let block = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
    // SAFETY: every x86-64 has SSE2.
    unsafe { specials_sse2(block) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn specials_sse2(block: __m128i) -> u32 {
    let quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8(QUOTE));
    let backslashes = _mm_cmpeq_epi8(block, _mm_set1_epi8(BACKSLASH));
    let below = _mm_cmplt_epi8(block, _mm_set1_epi8(BLANK));
    _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), below)).cast_unsigned()
}

/// 64 bytes at a time: AVX-512.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// This way, where the machine can take it.
    pub(crate) fn find() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

impl Strings for Avx512 {
    #[inline]
    fn find_special(self, bytes: &[u8], start: usize) -> usize {
        let specials = specials_of_16(bytes, start);
        if specials != 0 {
            return start + specials.trailing_zeros() as usize;
        }
        // SAFETY: the machine has the instructions, or there would be no value of this type.
        unsafe { find_special_avx512(bytes, start) }
    }

    fn scan(self, bytes: &[u8], start: usize, at: usize) -> Option<Scanned> {
        // SAFETY: the machine has the instructions, or there would be no value of this type.
        unsafe { scan_avx512(bytes, start, at) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
fn find_special_avx512(bytes: &[u8], start: usize) -> usize {
    find_special(bytes, start, |block| {
        let block = load_avx512(block);
        _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(QUOTE))
            | _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(BACKSLASH))
            | _mm512_cmplt_epi8_mask(block, _mm512_set1_epi8(BLANK))
    })
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
fn scan_avx512(bytes: &[u8], start: usize, at: usize) -> Option<Scanned> {
    scan(
        bytes,
        start,
        at,
        |block| {
            let block = load_avx512(block);
            let half = _mm512_set1_epi8(LOWER_HALF);
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(block), half);
            let high = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(letters!(high)), high);
            // The lookup itself looks at no more than the lower half, and gives nothing for bytes beyond ASCII.
            let low = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(letters!(low)), block);
            Marks {
                quotes: _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(QUOTE)),
                backslashes: _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(BACKSLASH)),
                controls: _mm512_cmplt_epu8_mask(block, _mm512_set1_epi8(BLANK)),
                beyond_ascii: _mm512_movepi8_mask(block),
                continuations: _mm512_cmplt_epi8_mask(block, _mm512_set1_epi8(BEHIND_CONTINUATIONS)),
                leads_of_four: _mm512_cmpge_epu8_mask(block, _mm512_set1_epi8(LEAD_OF_FOUR)),
                usual_letters: _mm512_test_epi8_mask(low, high),
            }
        },
        |block| {
            let block = load_avx512(block);
            Letters {
                units: _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(SMALL_U)),
                slashes: _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(SLASH)),
            }
        },
    )
}

#[target_feature(enable = "avx512f")]
fn load_avx512(block: &Block) -> __m512i {
    // SAFETY: there are 64 bytes behind the pointer, and no alignment is asked for.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// Twice 32 bytes at a time: AVX2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// This way, where the machine can take it.
    pub(crate) fn find() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

impl Strings for Avx2 {
    #[inline]
    fn find_special(self, bytes: &[u8], start: usize) -> usize {
        let specials = specials_of_16(bytes, start);
        if specials != 0 {
            return start + specials.trailing_zeros() as usize;
        }
        // SAFETY: the machine has the instructions, or there would be no value of this type.
        unsafe { find_special_avx2(bytes, start) }
    }

    fn scan(self, bytes: &[u8], start: usize, at: usize) -> Option<Scanned> {
        // SAFETY: the machine has the instructions, or there would be no value of this type.
        unsafe { scan_avx2(bytes, start, at) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_special_avx2(bytes: &[u8], start: usize) -> usize {
    find_special(bytes, start, |block| {
        let specials = load_avx2(block).map(|half| {
            let quotes = _mm256_cmpeq_epi8(half, _mm256_set1_epi8(QUOTE));
            let backslashes = _mm256_cmpeq_epi8(half, _mm256_set1_epi8(BACKSLASH));
            let below = _mm256_cmpgt_epi8(_mm256_set1_epi8(BLANK), half);
            _mm256_or_si256(_mm256_or_si256(quotes, backslashes), below)
        });
        bits(specials)
    })
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn scan_avx2(bytes: &[u8], start: usize, at: usize) -> Option<Scanned> {
    scan(
        bytes,
        start,
        at,
        |block| {
            let halves = load_avx2(block);
            let last_control = _mm256_set1_epi8(BLANK - 1);
            let lead = _mm256_set1_epi8(LEAD_OF_FOUR);
            let behind = _mm256_set1_epi8(BEHIND_CONTINUATIONS);
            Marks {
                quotes: equal(halves, QUOTE),
                backslashes: equal(halves, BACKSLASH),
                controls: bits(halves.map(|half| _mm256_cmpeq_epi8(_mm256_min_epu8(half, last_control), half))),
                beyond_ascii: bits(halves),
                continuations: bits(halves.map(|half| _mm256_cmpgt_epi8(behind, half))),
                leads_of_four: bits(halves.map(|half| _mm256_cmpeq_epi8(_mm256_max_epu8(half, lead), half))),
                usual_letters: !bits(halves.map(|half| not_usual_avx2(half))),
            }
        },
        |block| {
            let halves = load_avx2(block);
            Letters { units: equal(halves, SMALL_U), slashes: equal(halves, SLASH) }
        },
    )
}

/// All bits of those bytes that are no usual letter of an escape.
#[target_feature(enable = "avx2")]
fn not_usual_avx2(bytes: __m256i) -> __m256i {
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(LOWER_HALF));
    let high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(letters!(high)), high);
    // The lookup itself looks at no more than the lower half, and gives nothing for bytes beyond ASCII.
    let low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(letters!(low)), bytes);
    _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
}

#[target_feature(enable = "avx2")]
fn load_avx2(block: &Block) -> [__m256i; 2] {
    let (halves, _) = block.as_chunks::<32>();
    let &[first, second] = halves else { return [_mm256_setzero_si256(); 2] };
    // SAFETY: there are 32 bytes behind the pointer, and no alignment is asked for.
    let first = unsafe { _mm256_loadu_si256(first.as_ptr().cast()) };
    // SAFETY: as for the first.
    [first, unsafe { _mm256_loadu_si256(second.as_ptr().cast()) }]
}

/// The uppermost bit of each byte.
#[target_feature(enable = "avx2")]
fn bits(halves: [__m256i; 2]) -> u64 {
    let [first, second] = halves.map(|half| u64::from(_mm256_movemask_epi8(half).cast_unsigned()));
    first | second << 32
}

/// Which bytes are the given one.
#[target_feature(enable = "avx2")]
fn equal(halves: [__m256i; 2], byte: i8) -> u64 {
    bits(halves.map(|half| _mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte))))
}
