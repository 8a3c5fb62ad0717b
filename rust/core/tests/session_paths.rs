//! Every way to scan a session file gives what the parser of trees gives, line by line. Spec: EST-033.

use std::fs;
use std::path::Path;

use keel_core::session::{
    Figures, Method, ScanPath, count_file, count_file_in_chunks, count_line_slowly, count_lines_on,
};
use keel_core::weights::FAMILIES;
use proptest::prelude::*;

/// Bytes behind the lines that a scan may look at.
const PADDING_BYTES: usize = 64;
const METHODS: [Method; 2] = [Method::Documented, Method::Bound(&FAMILIES[0].1)];

/// The lines with an LF behind the last, and with padding that would open a string and a bracket if it were read.
fn padded(lines: &[u8]) -> (Vec<u8>, usize) {
    let mut all = lines.to_vec();
    if !lines.is_empty() && !lines.ends_with(b"\n") {
        all.push(b'\n');
    }
    let end = all.len();
    all.extend([b"\"{[\\".as_slice(); PADDING_BYTES / 4].concat());
    (all, end)
}

/// The figures by the parser of trees.
fn slowly(lines: &[u8], method: Method) -> Figures {
    let lines = lines.split_inclusive(|&byte| byte == b'\n');
    lines.fold(Figures::default(), |figures, line| figures.followed_by(count_line_slowly(line, method)))
}

/// Holds every path to the parser of trees.
fn assert_all_agree(lines: &[u8]) {
    let (all, end) = padded(lines);
    for method in METHODS {
        let expected = slowly(lines, method);
        for path in ScanPath::ALL {
            if let Some(figures) = count_lines_on(path, &all, end, method) {
                assert_eq!(expected, figures, "{path:?} {:?}", String::from_utf8_lossy(lines));
            }
        }
    }
}

/// A piece of a line, such that what comes out is often JSON.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&[u8]> = vec![
        b"\\",
        b"\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\\n",
        b"\\\\",
        b"\\/",
        b"\\u0000",
        b"\\ud83d\\ude00",
        b"\\ud83d",
        b"\xc3\xa9",
        b"\xf0\x9f\x9a\x80",
        b"\xe4\xb8\x80",
        b"\xff",
        b"\0",
        b"\x1f",
        b"a",
        b"u",
        b" ",
        b"\t",
        b"\r",
        b"1.5e3",
        b"\"type\":\"user\"",
        b"\"content\":",
        b"\"text\":\"",
        b"true",
        b"null",
        b"-0",
        b"\\\"",
        b"\\u005c",
        b"\\u00E9",
    ];
    prop_oneof![
        4 => prop::sample::select(known).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..3),
        1 => (1_usize..130).prop_map(|size| vec![b'x'; size]),
    ]
}

/// The rows in which the pieces stand: as a text, as a name, as an input, as a whole line.
fn framed(inner: &[u8]) -> Vec<Vec<u8>> {
    let frames: [(&[u8], &[u8]); 5] = [
        (b"", b""),
        (b"{\"type\":\"user\",\"message\":{\"content\":\"", b"\"}}"),
        (b"{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"input\":{\"a\":\"", b"\"}}]}}"),
        (b"{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"x\",\"a\":", b"}]}}"),
        (b"{\"message\":{\"content\":[{\"text\":\"", b"\",\"type\":\"text\"}]},\"type\":\"assistant\"}"),
    ];
    frames.iter().map(|(head, tail)| [head, inner, tail].concat()).collect()
}

proptest! {
    #[test]
    fn every_path_gives_what_the_parser_gives(pieces in prop::collection::vec(piece(), 0..12)) {
        for line in framed(&pieces.concat()) {
            assert_all_agree(&line);
        }
    }
}

#[test]
fn every_size_and_place_of_a_string_gives_the_same() {
    for size in 0..200 {
        for tail in ["", "\\\\", "\\n", "\\\"", "\\u00e9", "é", "🚀", "\\", "\t", "\\x", "\\u12", "\\/", "\u{7f}"] {
            let inner = ["x".repeat(size), tail.to_owned()].concat();
            let run = ["\\".repeat(size), tail.to_owned()].concat();
            for line in [framed(inner.as_bytes()), framed(run.as_bytes())].concat() {
                assert_all_agree(&line);
            }
        }
    }
}

#[test]
fn every_file_of_the_client_gives_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        assert_all_agree(&fs::read(entry.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_file_gives_the_same_however_it_is_read() {
    /// Gives a few bytes at a time.
    struct Trickle<'a>(&'a [u8]);
    impl std::io::Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let size = buffer.len().min(self.0.len()).min(7);
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }
    let row = br#"{"type":"user","message":{"content":"12345678"}}"#;
    let boundary = br#"{"type":"system","subtype":"compact_boundary"}"#;
    let lines = [row.as_slice(), boundary, b"", row, b"torn", row].join(b"\n".as_slice());
    let expected = slowly(&lines, Method::Documented);
    assert_eq!(
        (6, 1, 1, 6, 4),
        (expected.lines, expected.broken, expected.boundaries, expected.tokens, expected.since_boundary)
    );
    for chunk_bytes in 0..300 {
        let figures = count_file_in_chunks(lines.as_slice(), Method::Documented, 1 + chunk_bytes % 3, chunk_bytes);
        assert_eq!(expected, figures.unwrap(), "{chunk_bytes}");
    }
    for threads in 1..4 {
        assert_eq!(expected, count_file(Trickle(&lines), Method::Documented, threads).unwrap());
        let huge = [&lines, b"\n".as_slice(), &vec![b' '; 3 << 20], &lines].concat();
        assert_eq!(
            slowly(&huge, Method::Documented),
            count_file(huge.as_slice(), Method::Documented, threads).unwrap()
        );
    }
}

#[test]
fn members_that_are_found_again_change_nothing() {
    let ends = [
        r#""type":"user","message":{"content":"12345678"}}"#,
        r#""type":"user","isSidechain":true,"message":{"content":"é"}}"#,
        r#""type":"user""#,
        r#""type":"user","message":{"content":"12345678"}},"#,
        "}",
        r#" "cwd":"/a","type":"assistant","message":{"content":"1"}}"#,
    ];
    let members = [
        r#""cwd":"/home/u","version":"2.1.89","number":12"#,
        r#""cwd":"/home/u","version":"2.1.89","number":123"#,
        r#""cwd":"/home/u","version":"2.1.89","number":12 "#,
        r#""cwd":"/home/u","version":"2.1.89","number":1e"#,
        r#""cwd":"/home/é","version":"2.1.89","number":12"#,
        r#""cwd":"\u002fhome","version":"2.1.89","is":[true]"#,
        r#""cwd":"/home/u","type":"x","number":12"#,
    ];
    for first in members {
        for second in members {
            for (one, other) in ends.iter().flat_map(|one| ends.iter().map(move |other| (one, other))) {
                for open in [r#"{"isSidechain":false,"#, r#"{"uuid":"1","isSidechain":true,"#, "{", "{ "] {
                    let lines = [first, second, first]
                        .map(|members| format!("{open}{members},{one}\n{open}{members},{other}\n"));
                    assert_all_agree(lines.concat().as_bytes());
                }
            }
        }
    }
}
