//! Reading a text and nothing else: what the speed of a sum is measured against.

use super::Path;

/// Bytes in a word.
const WORD: usize = size_of::<u64>();

/// The words of the bytes added up, by the widest loads of the path.
pub fn read_bytes(path: Path, bytes: &[u8]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    match path {
        Path::Scalar => {}
        Path::Avx2 => return super::x86::read_avx2(bytes).unwrap_or_else(|| add_words(bytes)),
        Path::Avx512 => return super::x86::read_avx512(bytes).unwrap_or_else(|| add_words(bytes)),
    }
    let _ = path; // elsewhere there is only one
    add_words(bytes)
}

/// The words added up; the compiler takes as many at once as the instructions around it allow.
#[inline]
pub(super) fn add_words(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<WORD>();
    let of_words = words.iter().fold(0_u64, |sum, &word| sum.wrapping_add(u64::from_le_bytes(word)));
    rest.iter().fold(of_words, |sum, &byte| sum.wrapping_add(u64::from(byte)))
}
