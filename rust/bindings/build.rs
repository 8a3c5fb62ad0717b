//! Lays a copy of `spec/` where maturin picks it up for the wheel (`include` in `pyproject.toml`),
//! and tells the library how it was built.
#![allow(clippy::print_stdout, reason = "a build script speaks to cargo on its standard output")]

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=PROFILE={}", variable("PROFILE")?);

    let source = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("../../spec");
    println!("cargo::rerun-if-changed={}", source.display());
    let target = PathBuf::from(variable("OUT_DIR")?).join("_spec");
    if target.exists() {
        fs::remove_dir_all(&target)?; // what has left spec/ must not stay in the wheel
    }
    if source.is_dir() {
        copy_folder(&source, &target)?;
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(io::Error::other)
}

fn copy_folder(source: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let (from, to) = (entry.path(), target.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            fs::write(&to, fs::read(&from)?)?; // the content alone, not the permissions of the checkout
        }
    }
    Ok(())
}
