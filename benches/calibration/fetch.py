# mypy: ignore-errors
"""Fetches what packages.toml or a list of fresh texts names, through each registry's ordinary client, and unpacks it.

A package that cannot be had is reported and left out; what depends on it is then reported as not run.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from settings import CACHE, HERE

ARCHIVES = CACHE / "archives"
UNPACKED = CACHE / "unpacked"
LISTING = CACHE / "packages.json"

PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
MAVEN = ("mvn", "--quiet", "--batch-mode", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy")

COMMANDS = {
    "debian": lambda name: ("apt-get", "download", "--quiet", name),
    "npm": lambda name: ("npm", "pack", "--silent", name),
    "pypi": lambda name: (*PIP, name),
    "pypi-source": lambda name: (*PIP, "--no-binary", ":all:", name),
    "crates": lambda _: ("cargo", "vendor", "--quiet", "--versioned-dirs"),
    "maven": lambda name: (*MAVEN, f"-Dartifact={name}", "-DoutputDirectory=."),
}
"""How each registry is asked, by its ordinary client."""


def main() -> None:
    """What the tokenizers and the texts of the corpus need, those of the first fresh test among them."""
    rows = [*gathered(HERE / "packages.toml"), *gathered(HERE / "fresh.toml")]
    LISTING.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def gathered(table: Path) -> list[dict[str, str]]:
    """Fetches and unpacks what a list of packages names; the versions and digests of it."""
    ARCHIVES.mkdir(parents=True, exist_ok=True)
    rows = []
    for group in tomllib.loads(table.read_text(encoding="utf-8"))["package"]:
        for name in group["names"]:
            row = {"name": name, "registry": group["registry"], "role": group["role"]}
            try:
                archive = fetched(name, group["registry"])
                row |= {"file": archive.name, "sha256": digest(archive)}
                folder = UNPACKED / slug(name, group["registry"])
                unpack(archive, folder)
                row["licence"] = licence(folder, group["registry"])
            except (subprocess.CalledProcessError, FileNotFoundError, OSError) as problem:
                row["missing"] = type(problem).__name__
                sys.stderr.write(f"not to be had: {name} ({problem})\n")
            rows.append(row)
    return rows


def slug(name: str, registry: str) -> str:
    """A folder's name for a package, without its version."""
    match registry:
        case "npm":
            bare = name.rsplit("@", 1)[0].replace("/", "-").lstrip("@")
        case "maven":
            bare = "-".join(name.split(":")[:2])
        case _:
            bare = name.split("=", maxsplit=1)[0]
    return f"{registry}-{bare}".lower()


def fetched(name: str, registry: str) -> Path:
    """The package's archive, from the cache or from its registry."""
    folder = ARCHIVES / slug(name, registry)
    stamp = folder / ".asked-for"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == name:
        return archive_in(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = COMMANDS[registry](name)
    if registry == "crates":
        crate_project(folder, name)
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    stamp.write_text(name, encoding="utf-8")
    return archive_in(folder)


def archive_in(folder: Path) -> Path:
    """What the client left in the folder."""
    if (folder / "vendor").is_dir():
        return folder / "vendor"
    return next(path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith("."))


def crate_project(folder: Path, name: str) -> None:
    """A project with nothing in it but the wish for one crate."""
    crate, version = name.split("=")
    (folder / "src").mkdir()
    (folder / "src/lib.rs").touch()
    manifest = (
        f'[package]\nname = "wish"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{crate} = "={version}"\n'
    )
    (folder / "Cargo.toml").write_text(manifest, encoding="utf-8")


def digest(archive: Path) -> str:
    """The archive's SHA-256; of a folder, that of its files' digests in order of their names."""
    if archive.is_file():
        return hashlib.sha256(archive.read_bytes()).hexdigest()
    whole = hashlib.sha256()
    for path in sorted(path for path in archive.rglob("*") if path.is_file()):
        whole.update(path.relative_to(archive).as_posix().encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def licence(folder: Path, registry: str) -> str:
    """What the package itself says of its licence, as far as it says it in a field."""
    match registry:
        case "pypi" | "pypi-source":
            files, pattern = ("*.dist-info/METADATA", "*/PKG-INFO"), r"^License(?:-Expression)?: (.{1,60})$"
        case "npm":
            files, pattern = ("*/package.json",), r'"license":\s*"([^"]+)"'
        case "crates":
            files, pattern = ("*/Cargo.toml",), r'^license = "([^"]+)"'
        case "debian":
            files, pattern = ("usr/share/doc/*/copyright",), r"^License: *(.{2,40})$"
        case _:
            files, pattern = ("META-INF/**/pom.xml",), r"<license>\s*<name>([^<]+)"
    found: set[str] = set()
    for path in (path for name in files for path in sorted(folder.glob(name)) if path.is_file()):
        found.update(re.findall(pattern, path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE))
    return ", ".join(sorted(found)[:8]) or "see the package"


def unpack(archive: Path, folder: Path) -> None:
    """Unpacks an archive of any of the registries, once."""
    if (folder / ".done").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if archive.is_dir():
        shutil.copytree(archive, folder, dirs_exist_ok=True)
    elif archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    elif archive.suffix in {".whl", ".zip", ".jar"}:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)  # noqa: S202 a package of a registry
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
    for path in folder.rglob("*.map"):
        path.unlink()
    (folder / ".done").touch()


if __name__ == "__main__":
    main()
