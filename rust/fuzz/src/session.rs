//! Lines of session files: every path of the fast scan gives what the parser of trees gives. Spec: EST-033.
#![no_main]

use keel_core::session::{Figures, Method, ScanPath, count_file_in_chunks, count_line_slowly, count_lines_on};
use keel_core::weights::FAMILIES;
use libfuzzer_sys::fuzz_target;

/// Bytes behind the lines that a scan may look at; they would change the result if they were taken for a part of it.
const PADDING: [u8; 64] = *br#""{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"{[\"#;

fuzz_target!(|data: &[u8]| {
    let mut lines = data.to_vec();
    if !data.is_empty() && !data.ends_with(b"\n") {
        lines.push(b'\n');
    }
    let end = lines.len();
    lines.extend(PADDING);
    for method in [Method::Documented, Method::Bound(&FAMILIES[FAMILIES.len() - 1].1)] {
        let one_by_one = data.split_inclusive(|&byte| byte == b'\n');
        let expected =
            one_by_one.fold(Figures::default(), |figures, line| figures.followed_by(count_line_slowly(line, method)));
        for path in ScanPath::ALL {
            if let Some(figures) = count_lines_on(path, &lines, end, method) {
                assert_eq!(expected, figures, "{path:?}");
            }
        }
        let chunk_bytes = usize::from(data.first().copied().unwrap_or_default()); // small ones cut lines everywhere
        assert_eq!(Some(expected), count_file_in_chunks(data, method, 1, chunk_bytes).ok());
    }
});
