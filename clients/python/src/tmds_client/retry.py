"""
Decides whether and when to retry a failed call, from the error, the number of failures and a random number. Repeating
a call of any method has no further effect, so a retry is safe; the error's `retryable` says whether it can help.
"""

from __future__ import annotations

import re
from datetime import timezone
from email.utils import parsedate_to_datetime

from .errors import TrademarkError

# The first wait, which doubles with every failure.
_BACKOFF_BASE_SECONDS = 0.5
_BACKOFF_MAX_SECONDS = 8.0
# The service's rate window is one minute. The caller decides what to do about a longer Retry-After.
_RETRY_AFTER_MAX_SECONDS = 120.0
# Added to Retry-After at random, so that callers refused together do not return together.
_RETRY_AFTER_SPREAD_SECONDS = 0.25


def plan_retry(error: TrademarkError, failures: int, max_retries: int, random: float) -> float | None:
    """
    Seconds to wait before the next attempt; None = do not retry.

    Args:
        failures: failed attempts so far, 1 or more
        random: number in [0, 1)
    """
    if failures > max_retries or not error.retryable:
        return None
    asked = error.retry_after_seconds
    if asked is not None:
        return None if asked > _RETRY_AFTER_MAX_SECONDS else asked + random * _RETRY_AFTER_SPREAD_SECONDS
    return plan_backoff(failures, random, _BACKOFF_BASE_SECONDS, _BACKOFF_MAX_SECONDS)


def plan_backoff(failures: int, random: float, base_seconds: float, max_seconds: float) -> float:
    """Between 50 % and 100 % of `base * 2 ** (failures - 1)`, up to a maximum."""
    ceiling: float = min(max_seconds, base_seconds * 2.0 ** min(failures - 1, 30))
    return ceiling * (0.5 + random * 0.5)


def parse_retry_after(header: str | None, now: float) -> float | None:
    """A Retry-After header, in seconds or as an HTTP date, in seconds. None when absent or invalid."""
    if header is None:
        return None
    text = header.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, moment.timestamp() - now)
