"""
One call: attempts, time limits and waits, and turning an answer into a value or a typed error. Knows no endpoints.
Every loop and wait is bounded: at most `max_retries + 1` attempts of `timeout` each.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol

from .config import Config
from .connections import Request
from .coverage import decode_coverage
from .errors import (
    TrademarkApiError,
    TrademarkConnectionError,
    TrademarkError,
    TrademarkProtocolError,
    TrademarkTimeoutError,
)
from .model import AnswerMeta
from .refusals import REFUSALS
from .retry import parse_retry_after, plan_retry
from .version import VERSION

_KEPT_HEADERS = ("retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-quota-limit", "x-quota-used")
# Temporary when a gateway in front of the service answers with them, as every 5xx is.
_GATEWAY_STATUSES = frozenset({408, 425, 429})
# Longer whole numbers are refused by `int`, which would take too long.
_INTEGER_DIGITS_MAX = 4_000
# A line that has not ended after this many bytes is not the service's.
_LINE_BYTES_MAX = 50_000_000


class Reply(Protocol):
    """The part of `Response` that a call uses."""

    status: int

    def header(self, name: str) -> str | None: ...
    def read_piece(self) -> bytes: ...
    def extend(self, deadline: float) -> None: ...
    def close(self) -> None: ...


class Sender(Protocol):
    """Sends one request; `Connections` is the real one."""

    def send(self, request: Request, deadline: float) -> Reply: ...


@dataclass(frozen=True)
class Transport:
    config: Config
    sender: Sender
    #: Between processes on one machine, compression takes longer than sending the bytes.
    compressed: bool = True
    #: For tests, like `random` and `now`.
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    now: Callable[[], float] = field(default=time.time)

    def call(
        self, method: str, target: str, body: Any = None, *, max_retries: int | None = None
    ) -> tuple[Mapping[str, Any], AnswerMeta]:
        """Sends `target` (path and query) until it is answered or no retry can help."""
        raw = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        request = Request(method, target, self._headers(raw is not None), raw)
        retries = self.config.max_retries if max_retries is None else max_retries
        failures = 0
        while True:
            try:
                return self._attempt(request, failures + 1)
            except TrademarkError as error:
                failures += 1
                self._wait_or_raise(error, failures, retries)

    def download(self, target: str, start: int) -> Iterator[bytes]:
        """
        The bytes of a file from `start` on. A broken download continues where it stopped; at most `max_retries`
        attempts in a row bring nothing, and at most `timeout` passes between two pieces.
        """
        failures = 0
        while True:
            try:
                for piece in self._download_from(target, start):
                    start += len(piece)
                    failures = 0
                    yield piece
                return
            except TrademarkError as error:
                failures += 1
                self._wait_or_raise(error, failures, self.config.max_retries)

    def lines(self, target: str, accept: str) -> Lines:
        """The lines of an answer as they arrive, in one attempt; at most `timeout` passes between two pieces."""
        return Lines(self, target, accept)

    def wait_or_raise(self, error: TrademarkError, failures: int) -> None:
        """Waits before another attempt, or raises the error if that cannot help."""
        self._wait_or_raise(error, failures, self.config.max_retries)

    def _wait_or_raise(self, error: TrademarkError, failures: int, max_retries: int) -> None:
        seconds = plan_retry(error, failures, max_retries, self.random())
        if seconds is None:
            raise error
        self.sleep(seconds)

    def _headers(self, has_body: bool) -> dict[str, str]:
        return {
            "accept": "application/json",
            "accept-encoding": "gzip" if self.compressed else "identity",
            "user-agent": f"tmds-client-python/{VERSION}",
            **({"content-type": "application/json"} if has_body else {}),
            **self.config.headers,
            "x-api-key": self.config.api_key,
        }

    def _attempt(self, request: Request, attempt: int) -> tuple[Mapping[str, Any], AnswerMeta]:
        reply, text = self._exchange(request)
        request_id = reply.header("x-request-id")
        if not 200 <= reply.status <= 299:
            raise self._read_refusal(reply, text)
        body = parse_object(text)
        if body is None:
            raise TrademarkConnectionError("the answer was cut short or is not JSON", request_id=request_id)
        return body, AnswerMeta(
            request_id=request_id,
            attempts=attempt,
            rate_limit=_read_count(reply.header("x-ratelimit-limit")),
            rate_remaining=_read_count(reply.header("x-ratelimit-remaining")),
            change_horizon=reply.header("x-change-horizon"),
            feed_lineage=reply.header("feed-lineage"),
            coverage=decode_coverage(reply.header("coverage")),
            poll_after_seconds=parse_retry_after(reply.header("x-poll-after"), self.now()),
        )

    def _exchange(self, request: Request) -> tuple[Reply, bytes]:
        """An answer with its whole body, within the time limit of an attempt."""
        try:
            reply = self.sender.send(request, self._deadline())
            try:
                return reply, _read_body(reply)
            except BaseException:
                reply.close()
                raise
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise self._explain(error) from error

    def _download_from(self, target: str, start: int) -> Iterator[bytes]:
        headers = {**self._headers(False), "accept": "*/*", "accept-encoding": "identity"}
        if start > 0:
            headers["range"] = f"bytes={start}-"
        try:
            reply = self.sender.send(Request("GET", target, headers), self._deadline())
            try:
                if reply.status not in (200, 206):
                    raise self._read_refusal(reply, _read_body(reply))
                skipped = self._find_skipped(reply, start)
                while piece := reply.read_piece():
                    rest = piece[skipped:]
                    skipped -= len(piece) - len(rest)
                    if rest:
                        yield rest
                    reply.extend(self._deadline())
            except BaseException:
                reply.close()
                raise
        except (OSError, http.client.HTTPException) as error:
            raise self._explain(error) from error

    def _read_lines(self, target: str, accept: str, begin: Callable[[Reply], None]) -> Iterator[bytes]:
        headers = {**self._headers(False), "accept": accept}
        try:
            reply = self.sender.send(Request("GET", target, headers), self._deadline())
            try:
                if reply.status != 200:
                    raise self._read_refusal(reply, _read_body(reply))
                begin(reply)
                rest = b""
                for piece in self._unpack_pieces(reply):
                    *lines, rest = (rest + piece).split(b"\n")
                    if len(rest) > _LINE_BYTES_MAX:
                        raise TrademarkProtocolError("a line has no end", request_id=reply.header("x-request-id"))
                    yield from lines
            except BaseException:
                reply.close()
                raise
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise self._explain(error) from error

    def _unpack_pieces(self, reply: Reply) -> Iterator[bytes]:
        packed = (reply.header("content-encoding") or "identity").lower() == "gzip"
        unpacking = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS) if packed else None
        while piece := reply.read_piece():
            yield piece if unpacking is None else unpacking.decompress(piece)
            reply.extend(self._deadline())

    def _find_skipped(self, reply: Reply, start: int) -> int:
        """How many bytes to leave out: none if the service sent the part alone."""
        if reply.status == 200:
            return start
        if (reply.header("content-range") or "").startswith(f"bytes {start}-"):
            return 0
        request_id = reply.header("x-request-id")
        raise TrademarkProtocolError("a part of a file is not the one that was asked for", request_id=request_id)

    def _deadline(self) -> float:
        return time.monotonic() + self.config.timeout_seconds

    def _explain(self, error: Exception) -> TrademarkError:
        if isinstance(error, TimeoutError):
            return TrademarkTimeoutError(f"no complete answer within {self.config.timeout_seconds:g} seconds")
        return TrademarkConnectionError(f"no answer from the service: {error or type(error).__name__}")

    def _read_refusal(self, reply: Reply, text: bytes) -> TrademarkError:
        request_id = reply.header("x-request-id")
        retry_after = parse_retry_after(reply.header("retry-after"), self.now())
        envelope = parse_object(text) or {}
        error = envelope.get("error")
        if not isinstance(error, dict) or not isinstance(error.get("code"), str):
            return _judge_stranger(reply.status, request_id, retry_after)
        code, param, detail = error["code"], error.get("param"), envelope.get("detail")
        return REFUSALS.get(code, TrademarkApiError)(
            str(error.get("message", code)),
            code=code,
            status=reply.status,
            param=param if isinstance(param, str) else None,
            detail=detail if isinstance(detail, list) else (),
            headers={name: value for name in _KEPT_HEADERS if (value := reply.header(name)) is not None},
            request_id=request_id,
            retry_after_seconds=retry_after,
            coverage=decode_coverage(reply.header("coverage")),
        )


class Lines(Iterator[bytes]):
    """The lines of one answer, without their ends; a last one that is not ended is left out."""

    def __init__(self, transport: Transport, target: str, accept: str) -> None:
        self._reply: Reply | None = None
        self._lines = transport._read_lines(target, accept, self._begin)

    def _begin(self, reply: Reply) -> None:
        self._reply = reply

    def __next__(self) -> bytes:
        return next(self._lines)

    @property
    def request_id(self) -> str | None:
        return self.header("x-request-id")

    def header(self, name: str) -> str | None:
        """Once the first line has arrived."""
        return None if self._reply is None else self._reply.header(name)


def _judge_stranger(status: int, request_id: str | None, retry_after: float | None) -> TrademarkError:
    what = f"an answer with status {status} that is not the service's"
    if status >= 500 or status in _GATEWAY_STATUSES:
        return TrademarkConnectionError(
            f"{what}: a gateway in between is failing or busy", request_id=request_id, retry_after_seconds=retry_after
        )
    return TrademarkProtocolError(f"{what}; is base_url right?", request_id=request_id, status=status)


def _read_body(reply: Reply) -> bytes:
    pieces = list(iter(reply.read_piece, b""))
    raw = b"".join(pieces)
    if (reply.header("content-encoding") or "identity").lower() != "gzip":
        return raw
    unpacking = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    text = unpacking.decompress(raw)
    if not unpacking.eof:
        raise zlib.error("the answer was cut short")
    return text


def _read_whole(text: str) -> int | Decimal:
    return int(text) if len(text) <= _INTEGER_DIGITS_MAX else Decimal(text)


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


def parse_object(text: bytes) -> dict[str, Any] | None:
    """The object of an answer, with every digit of its numbers; None when the text is anything else."""
    try:
        value = json.loads(text, parse_float=Decimal, parse_int=_read_whole, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_count(header: str | None) -> int | None:
    return int(header) if header is not None and re.fullmatch(r"[0-9]{1,15}", header) else None
