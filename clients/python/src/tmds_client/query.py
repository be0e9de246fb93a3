"""The path and the query of a call. Only the service validates values; what cannot be written raises here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timezone
from typing import Any, TypeVar, Union
from urllib.parse import quote

_T = TypeVar("_T")

#: One value, or several of them, any of which may match.
AnyOf = Union[_T, Iterable[_T]]
#: `2026-02-03`, or a `date`.
Day = Union[str, date]
#: `2026-02-03`, `2026-02-03T04:05:06.123456Z`, or a `datetime` with a time zone.
Moment = Union[str, datetime, date]

# Long lists, whose separators stay as they are: encoded, they would take three bytes each of a bounded address.
_SAFE = {"numbers": ",:", "identities": ",:"}
# What a uid in a list cannot hold as it is.
_IN_LIST = re.compile("[%,\\s\ufeff]")


def build_path(*segments: str | int | None, product: str | None = None) -> str:
    """
    `/v1/US/trademarks/97123456`, or below the path of another product. A segment that is None is left out: the path of
    all registers.
    """
    above = "" if product is None else f"/{product}"
    return f"{above}/v1/" + "/".join(_encode_segment(str(segment)) for segment in segments if segment is not None)


def _encode_segment(segment: str) -> str:
    if segment == "":
        raise ValueError("a register code or uid must not be empty")
    if segment in (".", ".."):
        raise ValueError(f'"{segment}" cannot be sent as a path segment, because URL rules remove it')
    return quote(segment, safe="")


def encode_query(parameters: Mapping[str, Any]) -> str:
    """`?a=1&b=2,3`, or an empty text. Leaves out None; values of a list are joined by commas."""
    pairs = [
        f"{quote(name, safe='')}={quote(_write(name, value), safe=_SAFE.get(name, ''))}"
        for name, value in parameters.items()
        if value is not None
    ]
    return "?" + "&".join(pairs) if pairs else ""


def _write(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return _write_moment(name, value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        return ",".join(_write(name, each) for each in value)
    raise TypeError(
        f"{name} must be a text, a whole number, a date or a list of them; leave it out if you do not need it"
    )


def _write_moment(name: str, moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ValueError(f"{name} is a datetime without a time zone, which could mean any instant of a day")
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def write_numbers(numbers: AnyOf[str]) -> str:
    """A comma separates two numbers, so commas within one are left out."""
    if isinstance(numbers, str):
        return numbers
    return ",".join(" ".join(number.replace(",", "").split()) for number in numbers)


def write_register_numbers(numbers: Iterable[tuple[str, str]]) -> str:
    """Each number after the code of its register."""
    return ",".join(f"{register}:{write_numbers([number])}" for register, number in numbers)


def write_identities(identities: Iterable[tuple[str, str]]) -> str:
    """Each uid after the code of its register.

    A comma in it would separate two of them, and blanks at the ends of a list's elements do not count.
    """
    return ",".join(f"{register}:{_IN_LIST.sub(_encode, uid)}" for register, uid in identities)


def _encode(found: re.Match[str]) -> str:
    return quote(found[0], safe="")
