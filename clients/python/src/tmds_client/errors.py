"""
The errors of a call. The class says where it failed: the service refused, there was no answer, or the answer was
invalid. A refusal has a class for each code of the service (`refusals.py`), so that a program catches what it can act
on. Errors never contain the API key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .coverage import SearchCoverage


class TrademarkError(Exception):
    """Every error of a call. A wrong argument raises `ValueError` or `TypeError` before any call."""

    #: True if the same call may succeed later. The client has then already used up `max_retries`.
    retryable: bool = False

    def __init__(
        self, message: str, *, request_id: str | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The service's `X-Request-Id`, to quote in a report; None without an answer.
        self.request_id = request_id
        #: The Retry-After of the answer; None without one.
        self.retry_after_seconds = retry_after_seconds


class TrademarkApiError(TrademarkError):
    """The service refused. Branch on the class or on `code`, not on `status`: two codes can share a status."""

    #: The code that a subclass stands for; empty for a code that this version does not know.
    CODE: ClassVar[str] = ""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        param: str | None = None,
        detail: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        coverage: SearchCoverage | None = None,
    ) -> None:
        super().__init__(message, request_id=request_id, retry_after_seconds=retry_after_seconds)
        self.code = code
        self.status = status
        #: The name of the invalid parameter, if there is one.
        self.param = param
        #: Every invalid parameter of a `validation_error`; otherwise empty.
        self.detail = tuple(detail)
        #: The headers retry-after, x-ratelimit-* and x-quota-*, with names in lower case.
        self.headers = dict(headers or {})
        #: `not_found` only: how complete the register is in which nothing was found; None if the service does not say.
        self.coverage = coverage

    def __str__(self) -> str:
        request = "" if self.request_id is None else f" (request {self.request_id})"
        return f"{self.code}: {self.message}{request}"


class TrademarkConnectionError(TrademarkError):
    """No complete answer: connection refused or reset, DNS, a truncated body, or a gateway's 429 or 5xx page."""

    retryable = True


class TrademarkTimeoutError(TrademarkError):
    """No complete answer within `timeout`."""

    retryable = True


class TrademarkProtocolError(TrademarkError):
    """An answer that the contract does not allow, such as a redirect or a page that is not JSON. Check `base_url`."""

    def __init__(self, message: str, *, request_id: str | None = None, status: int | None = None) -> None:
        super().__init__(message, request_id=request_id)
        #: The status when the answer is not the service's; None when the service's own answer breaks the contract.
        self.status = status


class WebhookVerificationError(Exception):
    """A message that does not come from the service, or is too old: answer it with status 401."""
