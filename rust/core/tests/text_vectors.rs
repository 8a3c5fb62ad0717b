//! The table of sizes that the Python reference is held to as well.

mod json_text;

use std::error::Error;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use json_text::CodePoints;
use keel_core::text::{Text, TextSizes, size_text};
use serde::Deserialize;

/// Fewer vectors than this means that the table was not found whole.
const VECTORS_AT_LEAST: usize = 25;

#[derive(Deserialize)]
struct Table {
    schema: String,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    call: Call,
    expect: Expect,
}

#[derive(Deserialize)]
struct Call {
    r#fn: String,
    args: Input,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Input {
    Text(CodePoints),
    B64(String),
}

#[derive(Deserialize)]
struct Expect {
    eq: Sizes,
}

#[derive(Deserialize)]
struct Sizes {
    utf8: u64,
    utf16: u64,
    code_points: u64,
}

/// Each vector holds in every storage that can keep its text.
#[test]
fn every_vector_holds_in_every_storage() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors/text/sizes.json");
    let table: Table = serde_json::from_slice(&fs::read(path)?)?;

    assert_eq!("keel-vectors/1", table.schema);
    assert!(VECTORS_AT_LEAST <= table.vectors.len());
    for vector in &table.vectors {
        let expected = TextSizes {
            utf8_bytes: vector.expect.eq.utf8,
            utf16_units: vector.expect.eq.utf16,
            code_points: vector.expect.eq.code_points,
        };
        assert_eq!("text.sizes", vector.call.r#fn, "{}", vector.id);
        for (storage, sizes) in sizes_in_each_storage(&vector.call.args)? {
            assert_eq!(expected, sizes, "{} as {storage}", vector.id);
        }
    }
    Ok(())
}

fn sizes_in_each_storage(input: &Input) -> Result<Vec<(&'static str, TextSizes)>, Box<dyn Error>> {
    let CodePoints(code_points) = match input {
        Input::B64(encoded) => return Ok(vec![("bytes", size_text(Text::Utf8Input(&STANDARD.decode(encoded)?)))]),
        Input::Text(text) => text,
    };
    let mut found = vec![("four bytes", size_text(Text::FourByte(code_points)))];
    if let Ok(narrow) = code_points.iter().map(|&c| u8::try_from(c)).collect::<Result<Vec<_>, _>>() {
        found.push(("one byte", size_text(Text::OneByte(&narrow))));
    }
    if let Ok(narrow) = code_points.iter().map(|&c| u16::try_from(c)).collect::<Result<Vec<_>, _>>() {
        found.push(("two bytes", size_text(Text::TwoByte(&narrow))));
    }
    if let Some(text) = code_points.iter().map(|&c| char::from_u32(c)).collect::<Option<String>>() {
        found.push(("UTF-8", size_text(Text::Utf8Input(text.as_bytes()))));
    }
    Ok(found)
}
