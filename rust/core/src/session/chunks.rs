//! Reads a session file in chunks of whole lines, by one thread or several, in bounded memory.
//!
//! The file is read, not mapped: a mapped file that somebody shortens meanwhile ends the process. Each thread has one
//! buffer; it takes the next bytes of the file into it, leaves what stands behind the last LF for whoever reads next, and
//! scans the rest while the others read. Only a line that is longer than a chunk makes a buffer grow.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::sync::{Mutex, PoisonError};
use std::thread;

use memchr::memrchr;

use super::{Figures, Method, count_lines};

/// Bytes that are read at once. They are copied faster to so many than to those that a core has in its own cache anyway.
pub const CHUNK_BYTES: usize = 1 << 20;
/// Bytes of the first chunk, each next one being twice as large until all are: a small file needs no large buffer.
const FIRST_CHUNK_BYTES: usize = 64 << 10;
/// Bytes behind the lines of a chunk that a scan may look at.
pub(super) const PADDING_BYTES: usize = 64;

/// The figures of a session file. Spec: EST-033.
///
/// # Errors
///
/// Those of the file.
pub fn count_file(file: impl Read + Send, method: Method, threads: usize) -> io::Result<Figures> {
    count_file_in_chunks(file, method, threads, CHUNK_BYTES)
}

/// The figures of a session file that is read so many bytes at once; the number changes nothing but the time.
///
/// # Errors
///
/// Those of the file.
pub fn count_file_in_chunks(
    file: impl Read + Send,
    method: Method,
    threads: usize,
    chunk_bytes: usize,
) -> io::Result<Figures> {
    count_with(file, chunk_bytes.max(1), threads, &|lines, end| count_lines(lines, end, method))
}

/// The figures of a file, by a function that counts whole lines. Each of them ends with LF, and as many bytes as one block
/// has stand behind the last of them, so that whole blocks can be loaded: the second argument is where the lines end.
///
/// # Errors
///
/// Those of the file.
fn count_with<R: Read + Send>(
    file: R,
    chunk_bytes: usize,
    threads: usize,
    count: &(impl Fn(&[u8], usize) -> Figures + Sync),
) -> io::Result<Figures> {
    let reader = Mutex::new(Reader {
        file,
        chunk_bytes,
        next_bytes: chunk_bytes.min(FIRST_CHUNK_BYTES),
        carried: Vec::new(),
        next: 0,
        is_over: false,
    });
    let merger = Mutex::new(Merger::default());
    let work = || -> io::Result<()> {
        let mut buffer = Vec::new();
        loop {
            let taken = lock(&reader).read_lines(&mut buffer)?;
            let Some((place, end)) = taken else { return Ok(()) };
            let figures = count(&buffer, end);
            lock(&merger).add(place, figures);
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut ended = work();
        for other in others {
            ended = ended.and(other.join().unwrap_or_else(|_| Err(io::Error::other("a thread stopped"))));
        }
        ended
    })?;
    Ok(merger.into_inner().unwrap_or_else(PoisonError::into_inner).merged)
}

/// The lock; a thread that stopped while it held it has left an error of its own.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands out chunks of whole lines in the order of the file.
struct Reader<R> {
    file: R,
    chunk_bytes: usize,
    /// Bytes of the next chunk.
    next_bytes: usize,
    /// The start of a line whose end has not been read.
    carried: Vec<u8>,
    /// Which chunk comes next.
    next: u64,
    is_over: bool,
}

impl<R: Read> Reader<R> {
    /// Fills the buffer with lines and padding. Gives the chunk's place in the file and where its lines end.
    fn read_lines(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<(u64, usize)>> {
        if self.is_over {
            return Ok(None);
        }
        let mut filled = self.carried.len();
        let chunk_bytes = self.next_bytes;
        self.next_bytes = self.chunk_bytes.min(chunk_bytes.saturating_mul(2));
        make_room(buffer, filled + chunk_bytes);
        if let Some(start) = buffer.get_mut(..filled) {
            start.copy_from_slice(&self.carried);
        }
        self.carried.clear();
        loop {
            make_room(buffer, filled + chunk_bytes.max(filled)); // a line of any size in few steps
            let end = buffer.len() - PADDING_BYTES;
            let size = match self.file.read(buffer.get_mut(filled..end).unwrap_or_default()) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.is_over = true; // the others need not go on
                    return Err(error);
                }
                Ok(size) => size,
            };
            let before = filled;
            filled += size;
            let lines = if size == 0 {
                self.is_over = true;
                Some(end_last_line(buffer, filled)).filter(|&end| end > 0)
            } else {
                last_line_end(buffer.get(before..filled).unwrap_or_default()).map(|end| before + end)
            };
            if let Some(end) = lines {
                self.carried.extend_from_slice(buffer.get(end..filled).unwrap_or_default());
                self.next += 1;
                return Ok(Some((self.next - 1, end)));
            }
            if self.is_over {
                return Ok(None);
            }
        }
    }
}

/// Makes the buffer hold so many bytes and the padding.
fn make_room(buffer: &mut Vec<u8>, size: usize) {
    if buffer.len() < size + PADDING_BYTES {
        buffer.resize(size + PADDING_BYTES, 0);
    }
}

/// Ends a last line that has no LF; gives where the lines end.
fn end_last_line(buffer: &mut [u8], filled: usize) -> usize {
    match buffer.get_mut(filled) {
        Some(byte) if filled > 0 => {
            *byte = b'\n';
            filled + 1
        }
        _ => 0,
    }
}

/// Where the last whole line ends.
fn last_line_end(bytes: &[u8]) -> Option<usize> {
    memrchr(b'\n', bytes).map(|place| place + 1)
}

/// Puts the figures of chunks together in their order, whichever is ready first.
#[derive(Default)]
struct Merger {
    merged: Figures,
    next: u64,
    waiting: BTreeMap<u64, Figures>,
}

impl Merger {
    fn add(&mut self, place: u64, figures: Figures) {
        self.waiting.insert(place, figures);
        while let Some(figures) = self.waiting.remove(&self.next) {
            self.merged = self.merged.followed_by(figures);
            self.next += 1;
        }
    }
}
