//! Code points into UTF-8, 16 at a time (VBMI2).

use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_cmpge_epu32_mask, _mm512_loadu_si512, _mm512_mask_mov_epi32,
    _mm512_maskz_compress_epi8, _mm512_movepi8_mask, _mm512_multishift_epi64_epi8, _mm512_or_si512, _mm512_set1_epi32,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_storeu_si512,
};

/// Code points in a vector.
const WIDTH: usize = 16;
/// Bytes in one. So many are written for it, though fewer may count.
const BYTES: usize = 4 * WIDTH;

/// Where the parts of a code point begin, the highest first: bits 18, 12, 6 and 0, for two code points.
const PARTS: i64 = 0x2026_2C32_0006_0C12;
/// What the parts of a character beyond ASCII hold, and what the last part of one in ASCII holds.
const PART_BITS: i32 = 0x3F3F_3F3F;
const ASCII_BITS: i32 = 0x7F00_0000;
/// The marks of characters of two, three and four bytes. A part without a mark is left out, but for the last.
const TWO: i32 = 0x80C0_0000_u32.cast_signed();
const THREE: i32 = 0x8080_E000_u32.cast_signed();
const FOUR: i32 = 0x8080_80F0_u32.cast_signed();
const LAST: i32 = 0x8000_0000_u32.cast_signed();

/// Writes the UTF-8 form of the code points, a surrogate as three bytes, and says how many bytes it takes.
///
/// The buffer has to be 64 bytes longer than the form can be; what does not fit is left out.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
pub(super) fn encode<T: Copy + Into<u32>>(code_points: &[T], buffer: &mut [u8]) -> usize {
    let mut filled = 0;
    let (vectors, rest) = code_points.as_chunks::<WIDTH>();
    for vector in vectors {
        filled += encode_vector(load(&vector.map(Into::into)), u64::MAX, buffer.get_mut(filled..));
    }
    let mut last = [0; WIDTH];
    for (place, &code_point) in last.iter_mut().zip(rest) {
        *place = code_point.into();
    }
    filled + encode_vector(load(&last), (1 << (4 * rest.len())) - 1, buffer.get_mut(filled..))
}

/// The same for a vector, of which the parts count that are present.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn encode_vector(code_points: __m512i, present: u64, buffer: Option<&mut [u8]>) -> usize {
    let at_least = |from: i32| _mm512_cmpge_epu32_mask(code_points, _mm512_set1_epi32(from));
    let (two, three, four) = (at_least(0x80), at_least(0x800), at_least(0x1_0000));
    let bits = _mm512_mask_mov_epi32(_mm512_set1_epi32(ASCII_BITS), two, _mm512_set1_epi32(PART_BITS));
    let marks = _mm512_mask_mov_epi32(_mm512_setzero_si512(), two, _mm512_set1_epi32(TWO));
    let marks = _mm512_mask_mov_epi32(marks, three, _mm512_set1_epi32(THREE));
    let marks = _mm512_mask_mov_epi32(marks, four, _mm512_set1_epi32(FOUR));
    let parts = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(PARTS), code_points);
    let parts = _mm512_or_si512(_mm512_and_si512(parts, bits), marks);
    let kept = present & _mm512_movepi8_mask(_mm512_or_si512(marks, _mm512_set1_epi32(LAST)));
    let form = _mm512_maskz_compress_epi8(kept, parts);
    let Some(place) = buffer.and_then(|buffer| buffer.first_chunk_mut()) else { return 0 };
    store(form, place);
    kept.count_ones() as usize
}

#[target_feature(enable = "avx512f")]
fn load(code_points: &[u32; WIDTH]) -> __m512i {
    // SAFETY: the 64 bytes belong to the array, and the load asks for no alignment.
    unsafe { _mm512_loadu_si512(code_points.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn store(bytes: __m512i, place: &mut [u8; BYTES]) {
    // SAFETY: the 64 bytes belong to the array, and the store asks for no alignment.
    unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), bytes) }
}
