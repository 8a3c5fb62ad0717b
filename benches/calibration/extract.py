# mypy: ignore-errors
"""From a file of a package to the text that is measured: markup taken off where prose is wanted, else as it is."""

import gettext
import gzip
import html
import io
import json
import re
from pathlib import Path

TAGS = re.compile(r"<(script|style|head)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.DOTALL)
BLANKS = re.compile(r"[ \t]*\n\s*\n\s*")


def plain(path: Path) -> str:
    """The file as it is, unpacked where it ends in .gz."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1") if b"\0" not in data and path.suffix == ".gz" else ""


def markup(path: Path) -> str:
    """The words of a page of HTML, XHTML, DocBook or Mallard."""
    text = html.unescape(TAGS.sub("", plain(path)))
    return BLANKS.sub("\n\n", "\n".join(line.strip() for line in text.splitlines())).strip() + "\n"


def manual(path: Path) -> str:
    """The words of a manual page, without requests and font changes."""
    lines = []
    for line in plain(path).splitlines():
        if re.match(r"[.'](\\\"|de|ds|nr|ie|if|el|TH|so|\s*$)", line):
            continue
        bare = re.sub(r"^[.'][A-Za-z]{1,3} ?", "", line)
        bare = re.sub(r"\\f(\(..|\[[^]]*\]|.)|\\[&/,|^]|\\s[-+]?\d", "", bare)
        lines.append(bare.replace("\\-", "-").replace("\\(aq", "'").replace('\\"', '"').replace("\\e", "\\"))
    return "\n".join(lines) + "\n"


def catalogue(path: Path) -> str:
    """The translations of a catalogue of messages, .po or .mo, one a line."""
    if path.suffix == ".mo":
        translations = gettext.GNUTranslations(io.BytesIO(path.read_bytes()))
        pairs = [(k if isinstance(k, str) else k[0], v) for k, v in translations._catalog.items()]
        return "\n".join(v for k, v in sorted(pairs) if k and v and v != k) + "\n"
    text = plain(path)
    found = re.findall(r'^msgstr(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\s*)+)', text, re.MULTILINE)
    lines = ["".join(json.loads(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', one)) for one in found[1:]]
    return "\n".join(line for line in lines if line) + "\n"


def messages(path: Path) -> str:
    """The messages of a program that holds them in JSON, one a line; what begins with @ is about the file."""
    return "\n".join(_strings(json.loads(plain(path)))) + "\n"


def _strings(held: object) -> list[str]:
    if isinstance(held, dict):
        return [one for name, value in held.items() if not name.startswith("@") for one in _strings(value)]
    return [held] if isinstance(held, str) else []


def verses(path: Path) -> str:
    """The verses of a chapter held in JSON: translation where there is one, else text."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(data, list):  # the list of chapters, no chapter
        return ""
    return "\n".join(row.get("translation") or row["text"] for row in data["verses"]) + "\n"


def compact(path: Path) -> str:
    """JSON without blanks."""
    return _again(path, separators=(",", ":"), ensure_ascii=False)


def spaced(path: Path) -> str:
    """JSON with a blank after comma and colon."""
    return _again(path, ensure_ascii=False)


def indented(path: Path) -> str:
    """JSON laid out over lines."""
    return _again(path, indent=2, ensure_ascii=False)


def nested(path: Path) -> str:
    """JSON held as a string inside JSON."""
    return json.dumps({"id": path.stem, "body": compact(path)}, ensure_ascii=False)


def escaped(path: Path) -> str:
    """JSON with everything beyond ASCII escaped."""
    return _again(path, ensure_ascii=True)


def _again(path: Path, **how: object) -> str:
    try:
        return json.dumps(json.loads(plain(path)), **how)
    except ValueError:
        return ""


def escaped_text(path: Path) -> str:
    r"""Prose as a JSON string with \uXXXX for everything beyond ASCII."""
    return json.dumps(markup(path) if path.suffix == ".html" else plain(path))


def upper(path: Path) -> str:
    """The same words in capitals."""
    return plain(path).upper()


def upper_markup(path: Path) -> str:
    """The words of a page, in capitals."""
    return markup(path).upper()


def people(path: Path) -> str:
    """The names in a list of names, as projects thank those who helped, each with a handle and a link."""
    names = re.findall(r'"([^"\\]{2,24})"', plain(path))
    if len(names) < 40:
        return ""
    lines = []
    for number, (first, last) in enumerate(zip(names[::2], names[1::2], strict=False)):
        handle = (first + ("-", "", "_")[number % 3] + last).replace(" ", "")
        handle = (handle, handle.lower(), f"{last}{number}".replace(" ", ""))[number % 3]
        lines.append(f"* [{handle}](https://github.com/{handle}) - **{first} {last}**")
    return "\n".join(lines) + "\n"


def numbered(path: Path) -> str:
    """A file as a tool shows it, each line behind its number."""
    return "".join(f"{number:6}\t{line}\n" for number, line in enumerate(plain(path).splitlines(), 1))


def as_result(path: Path) -> str:
    """A file inside the JSON of a tool's result, as a session file holds it."""
    body = [{"type": "tool_result", "tool_use_id": "toolu_01" + path.stem[:12], "content": numbered(path)}]
    return json.dumps({"type": "user", "message": {"role": "user", "content": body}}, ensure_ascii=False)


def quran(path: Path) -> str:
    """All verses of the text itself."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return "\n".join(row["text"] for chapter in data for row in chapter["verses"]) + "\n"


def _latin_share(text: str) -> float:
    letters = [c for c in text if c.isalpha()]
    return sum(c < "\u0250" or "\u1e00" <= c <= "\u1eff" for c in letters) / max(1, len(letters))


def markup_latin(path: Path) -> str:
    """A page in Latin script, else nothing."""
    text = markup(path)
    return text if _latin_share(text) > 0.8 else ""


def markup_other(path: Path) -> str:
    """A page in another script than Latin, else nothing."""
    text = markup(path)
    return text if _latin_share(text) < 0.2 else ""
