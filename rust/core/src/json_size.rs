//! The serialised form of a value, piece by piece, so that its size is known without the form being made.
//!
//! Mirrors `keel_ref/tokens/serialise.py`. The caller walks the value, and hands over each bracket, comma, key and leaf
//! in order. Spec: EST-010.

use core::fmt::{self, Write};

use crate::bound::Running;
use crate::text::{Text, size_utf16};

/// What takes a serialised form in, piece by piece.
pub trait Sink {
    /// Takes characters that stand in the form as they are, all of them ASCII.
    fn plain(&mut self, piece: &[u8]);

    /// Takes a text as it stands.
    fn text(&mut self, text: Text);

    /// Takes a whole number in its decimal digits. Spec: EST-010.
    fn whole(&mut self, value: i64) {
        let mut digits = Short::default();
        digits.write(format_args!("{value}"));
        self.plain(digits.as_bytes());
    }

    /// Takes a text with the quotes around it and what has to be escaped in it. Spec: EST-010.
    fn quoted(&mut self, text: Text);
}

/// A sink that counts UTF-16 code units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Units(
    /// Units so far.
    pub u64,
);

impl Sink for Units {
    fn plain(&mut self, piece: &[u8]) {
        self.0 += piece.len() as u64;
    }

    fn text(&mut self, text: Text) {
        self.0 += size_utf16(text);
    }

    fn whole(&mut self, value: i64) {
        let digits = value.unsigned_abs().checked_ilog10().map_or(1, |exponent| u64::from(exponent) + 1);
        self.0 += digits + u64::from(value < 0);
    }

    fn quoted(&mut self, text: Text) {
        self.0 += 2 + size_utf16(text) + extra_units(text);
    }
}

impl Sink for Running<'_> {
    fn plain(&mut self, piece: &[u8]) {
        self.push_utf8(piece);
    }

    fn text(&mut self, text: Text) {
        self.push(text);
    }

    fn quoted(&mut self, text: Text) {
        self.push_byte(b'"');
        each_piece(text, |piece, escape| {
            self.push(piece);
            self.push_utf8(escape);
        });
        self.push_byte(b'"');
    }
}

/// Code units that escaping adds to a text; all of them are ASCII, so it is the number of bytes too. Spec: EST-010.
pub fn extra_units(text: Text) -> u64 {
    match text {
        // What has to be escaped is a byte of its own in UTF-8, also where the rest is broken.
        Text::Ascii(bytes) | Text::OneByte(bytes) | Text::Utf8Input(bytes) => sum_extra(bytes),
        Text::TwoByte(code_points) => sum_extra(code_points),
        Text::FourByte(code_points) => sum_extra(code_points),
    }
}

/// A text cut where something has to be escaped: each stretch that stands as it is, and the escape behind it, which is
/// empty behind the last. Spec: EST-010.
pub fn each_piece<'t>(text: Text<'t>, mut take: impl FnMut(Text<'t>, &[u8])) {
    match text {
        Text::Ascii(bytes) => cut(bytes, |piece, escape| take(Text::Ascii(piece), escape)),
        Text::OneByte(bytes) => cut(bytes, |piece, escape| take(Text::OneByte(piece), escape)),
        Text::Utf8Input(bytes) => cut(bytes, |piece, escape| take(Text::Utf8Input(piece), escape)),
        Text::TwoByte(code_points) => cut(code_points, |piece, escape| take(Text::TwoByte(piece), escape)),
        Text::FourByte(code_points) => cut(code_points, |piece, escape| take(Text::FourByte(piece), escape)),
    }
}

/// A number that is not stored as a whole one, as `JSON.stringify` writes it. Spec: EST-010.
pub fn number(sink: &mut impl Sink, value: f64) {
    if !value.is_finite() {
        sink.plain(b"null"); // [EST-010]
    } else if value == 0.0 {
        sink.plain(b"0"); // [EST-010] without a sign
    } else {
        if value < 0.0 {
            sink.plain(b"-");
        }
        let mut scientific = Short::default();
        scientific.write(format_args!("{:e}", value.abs())); // the shortest digits that read back as the same number
        placed(sink, scientific.as_bytes());
    }
}

/// JavaScript writes no exponent up to this place of the decimal point.
const EXPONENT_FROM: i32 = 21;
/// JavaScript writes an exponent from this place of the decimal point down.
const EXPONENT_BELOW: i32 = -6;
/// As many as ever stand between digits and decimal point.
const ZEROS: &[u8] = b"000000000000000000000";

/// Writes `d.ddde-n` with the decimal point where JavaScript puts it.
fn placed(sink: &mut impl Sink, scientific: &[u8]) {
    let mut parts = scientific.splitn(2, |&byte| byte == b'e');
    let mantissa = parts.next().unwrap_or_default();
    let exponent = parts.next().and_then(|digits| core::str::from_utf8(digits).ok()).and_then(|text| text.parse().ok());
    let point = exponent.map_or(1, |exponent: i32| exponent + 1); // counted from the first digit
    let mut digits = Short::default();
    for &byte in mantissa.iter().filter(|&&byte| byte != b'.') {
        digits.push(byte);
    }
    let digits = digits.as_bytes();
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    if count <= point && point <= EXPONENT_FROM {
        sink.plain(digits);
        zeros(sink, point - count);
    } else if 0 < point && point <= EXPONENT_FROM {
        let (before, behind) = digits.split_at_checked(usize::try_from(point).unwrap_or(0)).unwrap_or((digits, &[]));
        sink.plain(before);
        sink.plain(b".");
        sink.plain(behind);
    } else if EXPONENT_BELOW < point && point <= 0 {
        sink.plain(b"0.");
        zeros(sink, -point);
        sink.plain(digits);
    } else {
        let mut exponent = Short::default();
        exponent.write(format_args!("e{:+}", point - 1));
        sink.plain(mantissa);
        sink.plain(exponent.as_bytes());
    }
}

/// So many zeros, as far as ever occurs.
fn zeros(sink: &mut impl Sink, count: i32) {
    let count = usize::try_from(count).unwrap_or(0);
    sink.plain(ZEROS.get(..count).unwrap_or(ZEROS));
}

/// A few characters of ASCII on the stack; a number of 64 bits takes at most 24.
#[derive(Default)]
struct Short {
    bytes: [u8; 32],
    length: usize,
}

impl Short {
    /// Writes what fits; all that is written here fits.
    fn write(&mut self, piece: fmt::Arguments) {
        let fits = self.write_fmt(piece).is_ok();
        debug_assert!(fits, "a number takes less");
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl Write for Short {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let end = self.length + piece.len();
        self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(piece.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// What a text consists of in one of its storages.
trait Element: Copy + PartialEq + PartialOrd + From<u8> + Into<u32> {}
impl<T: Copy + PartialEq + PartialOrd + From<u8> + Into<u32>> Element for T {}

/// Code units that escaping adds to one character: 1 for `\n` and its like, 5 for `\u0000` and its like. Spec: EST-010.
#[inline]
fn extra<T: Element>(element: T) -> u8 {
    let is_marked = (element == T::from(b'"')) | (element == T::from(b'\\'));
    let is_control = element < T::from(0x20);
    let has_name = ((element >= T::from(8)) & (element <= T::from(13))) & (element != T::from(11));
    u8::from(is_marked).wrapping_add(u8::from(is_control).wrapping_mul(5)).wrapping_sub(u8::from(has_name) << 2)
}

/// [`extra`] of each character that may have any, which is faster where few are looked at.
#[expect(clippy::indexing_slicing, reason = "the compiler tries each of them")]
static EXTRA: [u8; 128] = {
    let mut table = [0; 128];
    let mut code = 0;
    while code < 0x20 {
        table[code] = 5;
        code += 1;
    }
    table[0x08] = 1;
    table[0x09] = 1;
    table[0x0A] = 1;
    table[0x0C] = 1;
    table[0x0D] = 1;
    table[b'"' as usize] = 1;
    table[b'\\' as usize] = 1;
    table
};

/// [`extra`], looked up.
#[inline]
fn extra_by_table<T: Element>(element: T) -> u8 {
    let code: u32 = element.into();
    EXTRA.get(code as usize).copied().unwrap_or(0)
}

/// Elements that are looked at side by side.
const LANES: usize = 16;
/// Additions of at most 5 to a lane of 8 bits before it is emptied.
const ROUNDS: usize = 51;

/// The sum of [`extra`].
fn sum_extra<T: Element>(elements: &[T]) -> u64 {
    const { assert!(5 * ROUNDS <= u8::MAX as usize) };
    let mut sum = 0;
    for block in elements.chunks(LANES * ROUNDS) {
        let (rows, rest) = block.as_chunks::<LANES>();
        let in_rows = if rows.is_empty() { 0 } else { sum_rows(rows) }; // most texts are short
        let in_rest: u64 = rest.iter().map(|&element| u64::from(extra_by_table(element))).sum();
        sum += in_rows + in_rest;
    }
    sum
}

/// [`sum_extra`] of at most [`ROUNDS`] rows.
fn sum_rows<T: Element>(rows: &[[T; LANES]]) -> u64 {
    let mut lanes = [0_u8; LANES];
    for row in rows {
        for (lane, &element) in lanes.iter_mut().zip(row) {
            *lane = lane.wrapping_add(extra(element));
        }
    }
    lanes.iter().map(|&lane| u64::from(lane)).sum()
}

/// Hands over stretches without anything to escape, each with the escape that stands behind it.
fn cut<'t, T: Element>(mut elements: &'t [T], mut take: impl FnMut(&'t [T], &[u8])) {
    while let Some(place) = find_escaped(elements) {
        let (piece, rest) = elements.split_at_checked(place).unwrap_or((elements, &[]));
        let Some((&element, behind)) = rest.split_first() else { break };
        let mut escape = Short::default();
        match element.into() {
            0x08 => escape.write(format_args!("\\b")),
            0x09 => escape.write(format_args!("\\t")),
            0x0A => escape.write(format_args!("\\n")),
            0x0C => escape.write(format_args!("\\f")),
            0x0D => escape.write(format_args!("\\r")),
            0x22 => escape.write(format_args!("\\\"")),
            0x5C => escape.write(format_args!("\\\\")),
            control => escape.write(format_args!("\\u{control:04x}")),
        }
        take(piece, escape.as_bytes());
        elements = behind;
    }
    take(elements, &[]);
}

/// Where the first element stands that has to be escaped.
fn find_escaped<T: Element>(elements: &[T]) -> Option<usize> {
    let (rows, rest) = elements.as_chunks::<LANES>();
    let clean = rows.iter().take_while(|row| row.iter().fold(0, |any, &element| any | extra(element)) == 0).count();
    let within = |part: &[T]| part.iter().position(|&element| extra(element) != 0);
    let (in_row, from) = rows.get(clean).map_or((within(rest), rows.len()), |row| (within(row), clean));
    in_row.map(|place| from * LANES + place)
}
