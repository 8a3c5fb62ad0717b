"""Session files from the page cache, against `orjson.loads` line by line and a plain read."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benches.measure import Measurement, ratio_of
from benches.session_file import load_lines, make_session_file, read_plainly
from keel_ref import estimate_transcript

FILE_BYTES = 100_000_000
ROUNDS = 9
NOTE = "a made file of code, prose, Chinese, edits and the fixtures, in the page cache"


def measurements() -> list[Measurement]:
    """All of them; takes about half a minute."""
    with TemporaryDirectory() as folder:
        return list(_of_file(make_session_file(Path(folder) / "session.jsonl", FILE_BYTES)))


def _of_file(path: Path) -> Iterator[Measurement]:
    size = path.stat().st_size
    peers: dict[str, Callable[[Path], object]] = {"a plain read of the file": read_plainly}
    if find_spec("orjson"):
        peers["orjson.loads of each line"] = partial(load_lines, import_module("orjson").loads)
    for peer, run in peers.items():
        for method in ("documented", "bound"):
            for threads in (1, 2):
                subject = partial(estimate_transcript, path, method=method, threads=threads)
                yield Measurement(
                    name=f"session file, {method}, {threads} {'thread' if threads == 1 else 'threads'}",
                    subject=f'estimate_transcript(path, method="{method}", threads={threads})',
                    peer=peer,
                    ratio=ratio_of(subject, partial(run, path), rounds=ROUNDS),
                    bytes=size,
                    note=NOTE,
                )
    if not find_spec("orjson"):
        yield Measurement(
            name="session file",
            subject="estimate_transcript(path)",
            peer="orjson.loads of each line",
            ratio=None,
            bytes=size,
            note="orjson is not installed",
        )
