//! The documented rule: the size of a text divided by a ratio, rounded half up.
//!
//! Mirrors `keel_ref/tokens/rough.py` for the choices that stand by default. Spec: EST-001 to EST-003.

use crate::text::{Text, size_utf16};

/// UTF-16 code units to a token.
pub const TOKEN_UNITS: u64 = 4;
/// The same where a text is known to be JSON.
pub const JSON_TOKEN_UNITS: u64 = 2;

/// Tokens of one text by the documented rule. Spec: EST-001.
pub fn tokens(text: Text, is_json: bool) -> u64 {
    tokens_of_size(size_utf16(text), is_json) // [EST-001]
}

/// Tokens of a text of so many UTF-16 code units. Spec: EST-001, EST-002, EST-003.
pub fn tokens_of_size(size: u64, is_json: bool) -> u64 {
    let ratio = if is_json { JSON_TOKEN_UNITS } else { TOKEN_UNITS }; // [EST-003]
    (size + ratio / 2) / ratio // [EST-002] half up
}
