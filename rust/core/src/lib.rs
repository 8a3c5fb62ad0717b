//! The kernels of keel-ref: the same rules as the Python model, under the same names, for speed.
//!
//! Nothing here knows a Python object, opens a file or prints. No input makes a function panic.
#![deny(unsafe_code)] // allowed in modules called `x86`, for instructions that have no safe form

pub mod bound;
pub mod json_size;
pub mod rough;
pub mod rounds;
pub mod session;
pub mod text;
pub mod utf8_input;
pub mod weights;
