//! The bound of a text: a sum over the bytes of its UTF-8 form, rounded up once.
//!
//! Mirrors `keel_ref/tokens/bound.py`. A byte adds its weight, and the pair of classes that it makes with the byte before
//! it adds another. Spec: EST-030, EST-031.

mod read;
mod scalar;
mod transcode;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads, and calls behind a question to the machine")]
mod x86;

pub use read::read_bytes;

use crate::text::Text;
use crate::utf8_input::{self, Part};
use crate::weights::{Table, UNIT};

/// What stands before the first byte of a text.
const BEFORE_THE_FIRST: u8 = b'\n';
/// What stands for each longest part of a broken character.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Bytes from which on the vectors of each kind pay; they have tables to load first.
#[cfg(target_arch = "x86_64")]
const AVX2_FROM: usize = 32;
#[cfg(target_arch = "x86_64")]
const AVX512_FROM: usize = 12;

/// Which instructions sum up. All of them give the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// One byte at a time, on every machine.
    Scalar,
    /// 32 bytes at a time: x86-64 with AVX2.
    Avx2,
    /// 64 bytes at a time: x86-64 with AVX-512 VBMI and VNNI.
    Avx512,
}

impl Path {
    /// All of them, the slowest first.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// The paths that this machine can take, the slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.into_iter().filter(|path| path.is_available())
    }

    /// The fastest path that this machine can take.
    pub fn best() -> Self {
        Self::available().next_back().unwrap_or(Self::Scalar)
    }

    /// What it is called in tests and measurements.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this machine can take it.
    #[cfg(target_arch = "x86_64")]
    fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Avx2 => x86::has_avx2(),
            Self::Avx512 => x86::has_avx512(),
        }
    }

    /// Whether this machine can take it.
    #[cfg(not(target_arch = "x86_64"))]
    fn is_available(self) -> bool {
        self == Self::Scalar
    }

    /// Units of the bytes behind the byte before, if this path is one of vectors and pays for them.
    #[cfg(target_arch = "x86_64")]
    fn sum_by_vectors(self, table: &Table, before: u8, bytes: &[u8]) -> Option<u64> {
        match self {
            Self::Avx2 if bytes.len() >= AVX2_FROM => x86::sum_avx2(table, before, bytes),
            Self::Avx512 if bytes.len() >= AVX512_FROM => x86::sum_avx512(table, before, bytes),
            Self::Scalar | Self::Avx2 | Self::Avx512 => None,
        }
    }

    /// There are no vectors here.
    #[cfg(not(target_arch = "x86_64"))]
    fn sum_by_vectors(self, _: &Table, _: u8, _: &[u8]) -> Option<u64> {
        None
    }
}

/// The bound of a text that comes in parts. The parts add up to the same as the whole text, wherever it is cut.
#[derive(Clone)]
pub struct Running<'t> {
    table: &'t Table,
    path: Path,
    /// The last byte so far.
    before: u8,
    units: u64,
}

impl<'t> Running<'t> {
    /// Nothing yet, by the fastest path.
    pub fn new(table: &'t Table) -> Self {
        Self::on(Path::best(), table)
    }

    /// Nothing yet, by the path that is named, or by [`Path::Scalar`] where the machine cannot take it.
    pub fn on(path: Path, table: &'t Table) -> Self {
        let path = if path.is_available() { path } else { Path::Scalar };
        Self { table, path, before: BEFORE_THE_FIRST, units: 0 }
    }

    /// Adds bytes of UTF-8 in which a surrogate may be three bytes. Where they are cut does not matter.
    pub fn push_utf8(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        let by_vectors = self.path.sum_by_vectors(self.table, self.before, bytes);
        self.units += by_vectors.unwrap_or_else(|| scalar::sum(self.table, self.before, bytes));
        self.before = last;
    }

    /// Adds one byte of UTF-8.
    pub fn push_byte(&mut self, byte: u8) {
        self.units += scalar::one(self.table, self.before, byte);
        self.before = byte;
    }

    /// Adds a whole text, however it is kept.
    pub fn push(&mut self, text: Text) {
        match text {
            Text::Ascii(bytes) => self.push_utf8(bytes),
            Text::OneByte(code_points) => transcode::push_one_byte(self, code_points),
            Text::TwoByte(code_points) => transcode::push_wide(self, code_points),
            Text::FourByte(code_points) => transcode::push_wide(self, code_points),
            Text::Utf8Input(bytes) => self.push_input(bytes),
        }
    }

    /// The sum before it is rounded, in parts of a token ([`UNIT`] to one).
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The sum in tokens, rounded up. Spec: EST-031.
    pub fn tokens(&self) -> u64 {
        self.units.div_ceil(UNIT) // [EST-031] up, once for the whole text
    }

    /// Adds bytes that are read as UTF-8, with U+FFFD for each longest part of a broken character.
    fn push_input(&mut self, bytes: &[u8]) {
        for part in utf8_input::parts(bytes) {
            match part {
                Part::Sound(bytes) => self.push_utf8(bytes),
                Part::Broken => self.push_utf8(REPLACEMENT),
            }
        }
    }
}

/// Tokens that the text costs at most, as far as the promise of the table goes. Spec: EST-030, EST-031.
pub fn tokens(text: Text, table: &Table) -> u64 {
    let mut running = Running::new(table);
    running.push(text);
    running.tokens()
}
