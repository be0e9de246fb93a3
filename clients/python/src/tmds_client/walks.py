"""
Walks over pages. They fetch a page when it is needed, and know its successor by its cursor. A walk can be used once.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone
from typing import Any, Generic, Protocol, TypeVar

from .errors import TrademarkApiError, TrademarkError, TrademarkProtocolError
from .model import AnswerMeta
from .retry import plan_backoff

log = logging.getLogger("tmds_client")

Item = TypeVar("Item")
ItemOfPage = TypeVar("ItemOfPage", covariant=True)


class Page(Protocol[ItemOfPage]):
    @property
    def items(self) -> Sequence[ItemOfPage]: ...
    @property
    def next_cursor(self) -> str | None: ...
    @property
    def meta(self) -> AnswerMeta: ...


P = TypeVar("P", bound=Page[Any])

#: Records of a search, unless a caller asks for more.
ITEMS_MAX_DEFAULT = 10_000
POLL_SECONDS_DEFAULT = 60.0
# Refusals that pass with time, although an immediate retry would be refused again.
_PASSING_CODES = frozenset({"quota_exceeded", "query_timeout", "internal_error"})
_PASSING_STATUSES = frozenset({408, 425, 429})
_FAULT_WAIT_BASE_SECONDS = 0.5
_FAULT_WAIT_MAX_SECONDS = 60.0
# A quota is used up until the month ends unless it is raised, so try again this often; a refusal is free.
_LONG_WAIT_MAX_SECONDS = 3_600.0


class Walk(Generic[P, Item]):
    """A walk to the end, by item or by page."""

    #: Continues where this walk stopped. Of a search, None when every match was returned.
    cursor: str | None

    def __init__(self, fetch: Callable[[str | None, int | None], P], cursor: str | None, items_max: int | None) -> None:
        if items_max is not None and items_max < 1:
            raise ValueError("items_max must be 1 or more")
        self._fetch = fetch
        self._items_max = items_max
        self.cursor = cursor

    def pages(self) -> Iterator[P]:
        """Whole pages. `cursor` advances when the next page is requested: what you have is complete up to it."""
        left = self._items_max
        while left is None or left > 0:
            page = self._fetch(self.cursor, left)
            if left is not None:
                left -= len(page.items)
            yield from self._take(page)
            if page.next_cursor is None:
                return

    def _take(self, page: P) -> Iterator[P]:
        if page.next_cursor is not None and page.next_cursor == self.cursor:
            raise TrademarkProtocolError("a page did not advance the cursor", request_id=page.meta.request_id)
        if page.items:
            yield page
        self.cursor = page.next_cursor

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items


class SearchWalk(Walk[P, Item]):
    """At most `items_max` records of a search. `list(walk)` collects them."""

    #: With `count="capped"`, after the first page: the number of matches, up to 10,000.
    matched_count: int | None = None
    #: True when more than `matched_count` match.
    matched_count_capped: bool | None = None

    def _take(self, page: P) -> Iterator[P]:
        counted: Any = page
        if counted.matched_count is not None:
            self.matched_count = counted.matched_count
            self.matched_count_capped = counted.matched_count_capped
        yield from super()._take(page)


class FeedWalk(Walk[P, Item]):
    """
    A walk to the end of a feed. `cursor` is the position after the last page that was consumed completely: save it
    together with the items, and pass it to the next walk with the same parameters.
    """

    #: Every change up to this instant was returned; None before the end.
    complete_to: str | None = None
    #: From the last page. A different value than before means that the service has gone back: compare what you have.
    lineage: str | None = None

    def _take(self, page: P) -> Iterator[P]:
        self.lineage = page.meta.feed_lineage
        position = self.cursor
        yield from super()._take(page)
        if page.next_cursor is None:
            # An empty page has no cursor; the position stays.
            self.cursor = position
            self.complete_to = page.meta.change_horizon

    def follow(
        self,
        *,
        poll_seconds: float = POLL_SECONDS_DEFAULT,
        patience_seconds: float | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[P]:
        """
        Pages as they come, without an end: after the end of the feed, it is polled again. Failures that pass with time
        are waited out, and logged by the logger `tmds_client`; any other failure raises. One unit for each poll.

        Args:
            poll_seconds: between polls; longer when the service says that there cannot be anything new
            patience_seconds: how long to wait out consecutive failures; default: without a limit
            stop: ends the walk, and its waits, once it is set
        """
        if poll_seconds <= 0:
            raise ValueError("poll_seconds must be more than 0")
        stop = stop or threading.Event()
        faults = _Faults(patience_seconds)
        while not stop.is_set():
            try:
                page = self._fetch(self.cursor, None)
            except TrademarkError as error:
                stop.wait(faults.plan_wait(error))
                continue
            faults.clear()
            yield from self._take(page)
            if page.next_cursor is None:
                stop.wait(max(poll_seconds, page.meta.poll_after_seconds or 0.0))


class _Faults:
    """Consecutive failures of a walk that follows a feed."""

    def __init__(self, patience_seconds: float | None) -> None:
        self._patience = patience_seconds
        self._count = 0
        self._since = 0.0
        self._answered = False

    def clear(self) -> None:
        self._count, self._answered = 0, True

    def plan_wait(self, error: TrademarkError) -> float:
        """Seconds to wait; raises the error if waiting cannot help, or has taken too long."""
        if not _is_waited_out(error, self._answered):
            raise error
        now = time.monotonic()
        if self._count == 0:
            self._since = now
        self._count += 1
        seconds = plan_backoff(self._count, random.random(), _FAULT_WAIT_BASE_SECONDS, _FAULT_WAIT_MAX_SECONDS)
        if isinstance(error, TrademarkApiError) and error.code == "quota_exceeded":
            seconds = max(seconds, min(_LONG_WAIT_MAX_SECONDS, _seconds_to_month_end(datetime.now(timezone.utc))))
        seconds = max(seconds, min(error.retry_after_seconds or 0.0, _LONG_WAIT_MAX_SECONDS))
        if self._patience is not None and now + seconds - self._since > self._patience:
            raise error
        log.warning("%s; trying again in %d s", error, seconds)
        return seconds


def _is_waited_out(error: TrademarkError, answered: bool) -> bool:
    """An unexpected answer means a wrong address, unless the service has answered before."""
    if isinstance(error, TrademarkApiError):
        known = bool(error.CODE)
        passing = error.status >= 500 or error.status in _PASSING_STATUSES
        return error.retryable or error.code in _PASSING_CODES or (not known and passing)
    if isinstance(error, TrademarkProtocolError):
        return answered and error.status is not None
    return error.retryable


def _seconds_to_month_end(now: datetime) -> float:
    """Months are UTC calendar months."""
    year, month = (now.year + 1, 1) if now.month == 12 else (now.year, now.month + 1)
    return (datetime(year, month, 1, tzinfo=timezone.utc) - now).total_seconds()
