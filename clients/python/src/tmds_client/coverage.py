"""The header ``Coverage``: which registers an answer covers, and through which day they are complete."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ITEM = re.compile(r'(?:"?([A-Za-z0-9]{1,5})"?|(\*))((?:;[a-z]+(?:="[0-9-]{10}"|=[0-9]{1,15})?)*)')
_PARAMETER = re.compile(r';([a-z]+)(?:="?([0-9-]+)"?)?')


@dataclass(frozen=True)
class Completeness:
    """What is known of a register, or of several together."""

    #: The last day through which nothing is known to be missing; None if unknown. Of several: the oldest.
    complete_through: str | None = None
    #: Whether newer files are overdue.
    late: bool = False
    #: Files that are missing, or that came out of order.
    gaps: int = 0
    #: Records and files that loads rejected.
    rejects: int = 0


@dataclass(frozen=True)
class SearchCoverage:
    """What an empty answer means: not in these registers, through these days."""

    #: By code. Of many registers, only those with something missing.
    registers: dict[str, Completeness]
    #: The other registers that the answer covers, and how many there are.
    others: Completeness | None = None
    others_count: int = 0
    #: Codes that no register has: nothing was searched for them.
    unserved: tuple[str, ...] = ()


def decode_coverage(header: str | None) -> SearchCoverage | None:
    """None without the header, and for one of another form. Unknown parameters are passed over."""
    if header is None or header.strip() == "":
        return None
    registers: dict[str, Completeness] = {}
    unserved: list[str] = []
    others: Completeness | None = None
    count = 0
    for text in header.split(","):
        item = _ITEM.fullmatch(text.strip())
        if item is None:
            return None
        given = {name: value or "" for name, value in _PARAMETER.findall(item[3])}
        known = Completeness(
            complete_through=given.get("through"),
            late="late" in given,
            gaps=int(given.get("gaps", 0)),
            rejects=int(given.get("rejects", 0)),
        )
        if item[1] is None:
            others, count = known, int(given.get("registers", 0))
        elif "unserved" in given:
            unserved.append(item[1])
        else:
            registers[item[1]] = known
    return SearchCoverage(registers, others, count, tuple(unserved))
