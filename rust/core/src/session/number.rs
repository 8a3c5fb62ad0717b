//! Numbers of JSON, and how JavaScript writes them. Spec: EST-010.

use std::io::Write;

/// Bytes that the form of any number which is no whole one fits in.
const FORM_BYTES: usize = 32;
/// From ten to this power on, a number has an exponent.
const EXPONENT_FROM: i32 = 21;
/// Zeros behind the point that are written out.
const ZEROS_AT_MOST: i32 = 6;

/// A number as it stands in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    /// How many bytes of JSON it takes.
    pub(super) size: usize,
    /// Whether it has neither a fraction nor an exponent.
    is_whole: bool,
}

/// The number at the start of the bytes, by the grammar of RFC 8259; None where there is none.
pub(super) fn read_number(bytes: &[u8]) -> Option<Number> {
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(bytes, at);
    if whole == 0 {
        return None;
    }
    // Behind a zero that leads, the number is over; what follows is the reader's to refuse.
    at += if bytes.get(at) == Some(&b'0') { 1 } else { whole };
    let mut is_whole = true;
    if bytes.get(at) == Some(&b'.') && digits(bytes, at + 1) > 0 {
        at += 1 + digits(bytes, at + 1);
        is_whole = false;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let first = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let power = digits(bytes, first);
        if power > 0 {
            at = first + power;
            is_whole = false;
        }
    }
    Some(Number { size: at, is_whole })
}

/// How many digits stand there.
fn digits(bytes: &[u8], at: usize) -> usize {
    bytes.iter().skip(at).take_while(|byte| byte.is_ascii_digit()).count()
}

/// Hands the number's serialised form to the receiver, in parts. Spec: EST-010.
pub(super) fn write_form(number: Number, bytes: &[u8], mut receive: impl FnMut(&[u8])) {
    let bytes = bytes.get(..number.size).unwrap_or_default();
    if number.is_whole {
        // [EST-010] its decimal digits, however many; there is no zero below zero
        receive(if bytes == b"-0" { b"0" } else { bytes });
        return;
    }
    let value: f64 = str::from_utf8(bytes).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
    if !value.is_finite() {
        receive(b"null"); // [EST-010]
        return;
    }
    if value == 0.0 {
        receive(b"0"); // [EST-010]
        return;
    }
    if value < 0.0 {
        receive(b"-");
    }
    write_float(value.abs(), receive);
}

/// The shortest digits that read back as the number, with the point where JavaScript puts it. Spec: EST-010.
fn write_float(value: f64, mut receive: impl FnMut(&[u8])) {
    let mut buffer = [0_u8; FORM_BYTES];
    let mut rest: &mut [u8] = &mut buffer;
    let room = rest.len();
    if write!(rest, "{value:e}").is_err() {
        return; // the longest takes 24 bytes
    }
    let taken = room - rest.len();
    let written = buffer.get(..taken).unwrap_or_default();
    let Some(mark) = written.iter().position(|&byte| byte == b'e') else { return };
    let (mantissa, exponent) = written.split_at(mark);
    let exponent = exponent.get(1..).unwrap_or_default();
    let power: i32 = str::from_utf8(exponent).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
    let (first, others) = mantissa.split_at(1.min(mantissa.len()));
    let others = others.get(1..).unwrap_or_default(); // behind the point
    let point = power + 1; // where the point stands, counted from the first digit
    let count = i32::try_from(others.len() + 1).unwrap_or_default();
    if (count..=EXPONENT_FROM).contains(&point) {
        receive(first);
        receive(others);
        (count..point).for_each(|_| receive(b"0"));
    } else if (1..=EXPONENT_FROM).contains(&point) {
        let (before, behind) = others.split_at(usize::try_from(point - 1).unwrap_or_default());
        receive(first);
        receive(before);
        receive(b".");
        receive(behind);
    } else if (1 - ZEROS_AT_MOST..=0).contains(&point) {
        receive(b"0.");
        (point..0).for_each(|_| receive(b"0"));
        receive(first);
        receive(others);
    } else {
        receive(first);
        if !others.is_empty() {
            receive(b".");
            receive(others);
        }
        receive(if power < 0 { b"e" } else { b"e+" });
        receive(exponent);
    }
}
