//! The kernels of keel-ref: the same rules as the Python model, under the same names, for speed.
//!
//! Nothing here knows a Python object, reads a file or prints. No input makes a function panic.
#![forbid(unsafe_code)]

pub mod session;
pub mod text;
pub mod weights;
