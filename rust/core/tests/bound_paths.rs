//! Every path that this machine can take sums up as the scalar one does.

use keel_core::bound::{Path, Running};
use keel_core::weights::{FAMILIES, Table};
use proptest::collection::vec;
use proptest::prelude::*;

/// More than two steps of any path.
const LONG_BYTES: usize = 600;
/// Where a text may begin in memory, as far as any instruction can tell.
const ALIGNMENTS: usize = 64;
/// Sizes around every width and step.
const SIZES: usize = 300;

fn units(path: Path, family: usize, parts: &[&[u8]]) -> u64 {
    let mut running = Running::on(path, table_of(family));
    for part in parts {
        running.push_utf8(part);
    }
    running.units()
}

fn table_of(family: usize) -> &'static Table {
    &FAMILIES.get(family).unwrap_or(&FAMILIES[0]).1
}

/// Bytes as texts have them: long runs of one kind, with others between; any byte may occur.
fn mixed_bytes() -> impl Strategy<Value = Vec<u8>> {
    let run = prop_oneof![
        vec(0x20..0x7F_u8, 0..200),
        vec(0..0x80_u8, 0..200),
        vec(0x80..=0xFF_u8, 0..100),
        vec(any::<u8>(), 0..40),
        "[\u{4E00}-\u{9FFF}а-яé🚀 ]{0,40}".prop_map(String::into_bytes),
    ];
    vec(run, 0..8).prop_map(|runs| runs.concat())
}

proptest! {
    /// Whatever the bytes are.
    #[test]
    fn every_path_gives_the_scalar_sum(family in 0..FAMILIES.len(), bytes in mixed_bytes()) {
        for path in Path::available() {
            prop_assert_eq!(units(Path::Scalar, family, &[&bytes]), units(path, family, &[&bytes]), "{:?}", path);
        }
    }

    /// Wherever the text is cut.
    #[test]
    fn every_path_may_be_cut(family in 0..FAMILIES.len(), bytes in mixed_bytes(), cut in any::<prop::sample::Index>()) {
        let parts = bytes.split_at_checked(cut.index(bytes.len() + 1)).unwrap_or_default();
        for path in Path::available() {
            prop_assert_eq!(units(Path::Scalar, family, &[&bytes]), units(path, family, &[parts.0, parts.1]), "{:?}", path);
        }
    }
}

/// All sizes up to 300 at all places of a line of the cache, ASCII and not.
#[test]
fn every_size_and_alignment_has_the_scalar_sum() {
    let ascii: Vec<u8> = (0..=0x7F).cycle().take(LONG_BYTES).collect();
    let any: Vec<u8> = (0..=0xFF).rev().cycle().take(LONG_BYTES).collect();
    for text in [ascii, any] {
        for begin in 0..ALIGNMENTS {
            for size in 0..SIZES {
                let bytes = text.get(begin..begin + size).unwrap_or_default();
                let expected = units(Path::Scalar, begin % FAMILIES.len(), &[bytes]);
                for path in Path::available() {
                    assert_eq!(expected, units(path, begin % FAMILIES.len(), &[bytes]), "{path:?} {begin} {size}");
                }
            }
        }
    }
}

/// Every pair of bytes, in the middle of a vector and across the edge of two.
#[test]
fn every_pair_of_bytes_has_the_scalar_sum() {
    for pair in 0..=u16::MAX {
        let [first, second] = pair.to_be_bytes();
        let mut text = [b'a'; 300];
        for place in [10, 31, 63, 255] {
            text.get_mut(place..place + 2).unwrap_or_default().copy_from_slice(&[first, second]);
        }
        let expected = units(Path::Scalar, 0, &[&text]);
        for path in Path::available() {
            assert_eq!(expected, units(path, 0, &[&text]), "{path:?} {first} {second}");
        }
    }
}

/// Counters inside a path do not run over, however heavy the bytes are.
#[test]
fn a_heavy_text_of_many_blocks_has_the_scalar_sum() {
    for byte in [b'a', 0x00, 0x98, 0xFF] {
        let text = vec![byte; (1 << 21) + 100];
        let expected = units(Path::Scalar, 0, &[&text]);
        for path in Path::available() {
            assert_eq!(expected, units(path, 0, &[&text]), "{path:?} {byte}");
        }
    }
}
