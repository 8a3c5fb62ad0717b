"""The times of session files, as milliseconds since 1970 and back."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_FORM: Final = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):?(\d{2}))\Z", re.ASCII
)
_USUAL: Final = len("2026-11-30T10:52:35.126Z")
_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY_MS: Final = 86_400_000
_ERA_DAYS: Final = 146_097
"""Days of 400 years, after which the calendar repeats."""
_EPOCH_DAYS: Final = 719_468
"""Days from 1 March of the year 0 to 1 January 1970."""


def read_timestamp(value: object) -> int | None:
    """Milliseconds since 1970 of a time such as `2026-11-30T10:52:35.126Z`, cut off; None for what is none."""
    if isinstance(value, str) and len(value) == _USUAL and value.isascii() and value[19] == "." and value[-1] == "Z":
        second, parts = value[17:19], value[20:23]
        minute = _read_minute(value[:17])
        if minute is not None and second.isdigit() and second < "60" and parts.isdigit():
            return minute + int(second) * 1_000 + int(parts)
    return _read_any(value)


@lru_cache(maxsize=64)
def _read_minute(text: str) -> int | None:
    """The beginning of a minute, given without its seconds; neighbouring rows of a file share it."""
    return _read_any(f"{text}00Z")


def _read_any(value: object) -> int | None:
    found = _FORM.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    if not (1 <= month <= len(_MONTHS) and 1 <= day <= _days_of(year, month) and hour < 24 and minute < 60):  # noqa: PLR2004 (a clock)
        return None
    if second >= 60:  # noqa: PLR2004 (a clock; leap seconds are not written)
        return None
    parts = int((found[7] or "0").ljust(3, "0")[:3])
    seconds = (hour * 60 + minute) * 60 + second
    shift = 0 if found[8] is None else (int(found[9]) * 60 + int(found[10])) * 60_000
    at = _days(year, month, day) * _DAY_MS + seconds * 1_000 + parts
    return at + shift if found[8] == "-" else at - shift


def write_timestamp(at_ms: int) -> str:
    """The time as session files write it, in UTC and with three digits behind the second."""
    days, rest = divmod(at_ms, _DAY_MS)
    year, month, day = _date(days)
    seconds, parts = divmod(rest, 1_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{parts:03}Z"


def _days_of(year: int, month: int) -> int:
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and is_leap else _MONTHS[month - 1]  # noqa: PLR2004 (February)


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970. The year is taken to begin in March, so that the leap day is its last."""
    year -= month <= 2  # noqa: PLR2004 (February)
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * _ERA_DAYS + of_era * 365 + of_era // 4 - of_era // 100 + of_year - _EPOCH_DAYS


def _date(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day since 1970."""
    era, of_era = divmod(days + _EPOCH_DAYS, _ERA_DAYS)
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9  # noqa: PLR2004 (months counted from March)
    return year + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1  # noqa: PLR2004 (February)
