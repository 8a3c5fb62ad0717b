"""`keel-ref context --html` as its user meets it."""

import json
import re
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.window.variables import Variable

SESSION = Path(__file__).parents[2] / "fixtures" / "sessions" / "auto-compact-thrice.jsonl"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is set where the tests run shall not matter."""
    for name in Variable:
        monkeypatch.delenv(name, raising=False)


def test_the_page_holds_what_json_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both are written by one call, and are one report."""
    page = tmp_path / "page.html"

    assert 0 == main(["context", str(SESSION), "--json", "--html", str(page)])
    held = re.search(r'id="report">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert held is not None
    assert json.loads(capsys.readouterr().out) == json.loads(held[1])


def test_nothing_is_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is there stays, unless --force is given; no draft is left behind."""
    page = tmp_path / "page.html"
    page.write_text("mine")

    assert 2 == main(["context", str(SESSION), "--html", str(page)])
    assert "is there already; name another file, or give --force" in capsys.readouterr().err
    assert "mine" == page.read_text()
    assert 0 == main(["context", str(SESSION), "--html", str(page), "--force"])
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [page] == list(tmp_path.iterdir())


def test_what_is_looked_at_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not by --force either, and not through a link."""
    session = tmp_path / "session.jsonl"
    session.write_bytes(SESSION.read_bytes())
    link = tmp_path / "link.html"
    link.symlink_to(session)

    for target in (session, link):
        assert 2 == main(["context", str(session), "--html", str(target), "--force"])
        assert "is what is looked at, which is never changed" in capsys.readouterr().err
    assert SESSION.read_bytes() == session.read_bytes()


@pytest.mark.parametrize("place", ["", "missing/page.html"])
def test_a_place_that_is_none_is_told_before_the_work(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder, or a file in a folder that is not there."""

    assert 2 == main(["context", str(SESSION), "--html", f"{tmp_path}/{place}"])
    told = capsys.readouterr()
    assert "" == told.out
    assert ("is no place for a file" in told.err) or ("is there already" in told.err)
