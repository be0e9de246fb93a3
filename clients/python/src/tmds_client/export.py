"""
The walk over an export: pages of a search in one stream. A page counts once its position has arrived, so after any end
of a stream the walk continues without loss or repetition.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .coverage import SearchCoverage, decode_coverage
from .errors import TrademarkApiError, TrademarkConnectionError, TrademarkError, TrademarkProtocolError
from .refusals import REFUSALS
from .transport import Lines, Transport


@dataclass(frozen=True)
class ExportPage:
    #: Each record as a dictionary of the fields that were chosen.
    items: Sequence[dict[str, Any]]
    #: Continues the export after this page; None after the last one.
    next_cursor: str | None


class ExportWalk:
    """A walk over an export, by record or by page. It can be used once."""

    def __init__(self, transport: Transport, target: Callable[[str | None], str], cursor: str | None) -> None:
        self._transport = transport
        self._target = target
        #: The position after the last page that was consumed completely; None before it, and after the end.
        self.cursor = cursor
        #: How complete the registers are; None before the first page, and if the service does not say.
        self.coverage: SearchCoverage | None = None

    def pages(self) -> Iterator[ExportPage]:
        """Whole pages; `cursor` advances when you request the next one."""
        failures = 0
        while True:
            try:
                for page in self._stream():
                    failures = 0
                    yield page
                    self.cursor = page.next_cursor
                    if page.next_cursor is None:
                        return
            except TrademarkError as error:
                failures += 1
                self._transport.wait_or_raise(error, failures)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for page in self.pages():
            yield from page.items

    def _stream(self) -> Iterator[ExportPage]:
        """The pages of one stream. It may end after any of them."""
        lines = self._transport.lines(self._target(self.cursor), "application/x-ndjson")
        items: list[dict[str, Any]] = []
        positioned = False
        for text in lines:
            self.coverage = decode_coverage(lines.header("coverage"))
            line = _parse_line(text, lines)
            positioned = "next_cursor" in line
            if not positioned:
                items.append(line)
                continue
            cursor = line["next_cursor"]
            if "error" in line:
                raise _read_error(line["error"], lines)
            if cursor is not None and (cursor == self.cursor or not items):
                raise TrademarkProtocolError("a page did not advance the cursor", request_id=lines.request_id)
            yield ExportPage(items, cursor)
            items = []
        if not positioned:
            raise TrademarkConnectionError("the export was cut short", request_id=lines.request_id)


def _parse_line(text: bytes, lines: Lines) -> dict[str, Any]:
    try:
        line = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        line = None
    if not isinstance(line, dict):
        raise TrademarkConnectionError("the export was cut short or is not NDJSON", request_id=lines.request_id)
    return line


def _read_error(error: Any, lines: Lines) -> TrademarkApiError:
    code = str(error.get("code"))
    kind = REFUSALS.get(code, TrademarkApiError)
    seconds = error.get("retry_after")
    return kind(
        str(error.get("message", code)),
        code=code,
        # The answer itself was one of success.
        status=200,
        param=error.get("param"),
        request_id=lines.request_id,
        retry_after_seconds=None if seconds is None else float(seconds),
    )
