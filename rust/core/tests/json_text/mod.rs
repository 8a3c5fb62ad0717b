//! A JSON text as code points. JSON may name a lone surrogate, which no Rust string can hold.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// The code points of a JSON text, lone surrogates among them.
pub(crate) struct CodePoints(pub(crate) Vec<u32>);

impl<'de> Deserialize<'de> for CodePoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(GeneralisedUtf8)
    }
}

/// Asked for bytes, the parser hands out UTF-8 in which a lone surrogate takes three bytes.
struct GeneralisedUtf8;

impl Visitor<'_> for GeneralisedUtf8 {
    type Value = CodePoints;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<CodePoints, E> {
        let mut code_points: Vec<u32> = Vec::new();
        for &byte in bytes {
            let leading = byte.leading_ones();
            let bits = |kept: u32| u32::from(byte) & ((1 << kept) - 1);
            match leading {
                0 => code_points.push(u32::from(byte)),
                1 => {
                    let last = code_points.last_mut().ok_or_else(|| E::custom("no beginning"))?;
                    *last = *last << 6 | bits(6);
                }
                _ => code_points.push(bits(7_u32.saturating_sub(leading))),
            }
        }
        Ok(CodePoints(code_points))
    }
}
