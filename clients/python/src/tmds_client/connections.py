"""
HTTP over connections that stay open between calls. Knows nothing of the service. An attempt has one time limit for
everything: connecting, sending, and every byte of the answer.
"""

from __future__ import annotations

import http.client
import io
import ssl
import time
from base64 import b64encode
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

#: Connections that are kept for the next call; threads that call at once open further ones.
_IDLE_MAX = 8
_PIECE_BYTES = 1 << 16


@dataclass(frozen=True)
class Request:
    method: str
    #: Path and query, with the path of the base address.
    target: str
    headers: Mapping[str, str]
    body: bytes | None = None


class _TimedReader(io.RawIOBase):
    """Reads from a socket until a deadline, however slowly the bytes arrive."""

    def __init__(self, sock: Any, deadline: float) -> None:
        super().__init__()
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = deadline

    def extend(self, deadline: float) -> None:
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_remaining(self._deadline))
        count: int | None = self._raw.readinto(buffer)
        return count

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


def _remaining(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the time limit has passed")
    return seconds


class Response:
    """An answer whose head has arrived. Read it to its end, or close it."""

    def __init__(self, connections: Connections, connection: http.client.HTTPConnection, deadline: float) -> None:
        self._connections = connections
        self._connection = connection
        self._timed: _TimedReader | None = None

        def build(sock: Any, debuglevel: int = 0, method: str | None = None, url: str | None = None) -> Any:
            response = http.client.HTTPResponse(sock, debuglevel, method, url)
            response.fp.close()
            self._timed = _TimedReader(sock, deadline)
            response.fp = io.BufferedReader(self._timed, _PIECE_BYTES)
            return response

        connection.response_class = build  # type: ignore[assignment]
        self._response = connection.getresponse()
        self.status = self._response.status

    def header(self, name: str) -> str | None:
        return self._response.getheader(name)

    def read_piece(self) -> bytes:
        """What has arrived, up to 64 KB; empty at the end, after which the connection is free for the next call."""
        piece = self._response.read1(_PIECE_BYTES)
        if not piece and self._response.length not in (None, 0):
            raise http.client.IncompleteRead(piece, self._response.length)
        if not piece:
            self._response.close()
            self._connections.release(self._connection)
        return piece

    def extend(self, deadline: float) -> None:
        """Sets another deadline for what follows."""
        if self._timed is not None:
            self._timed.extend(deadline)

    def close(self) -> None:
        self._connection.close()
        with suppress(OSError):
            self._response.close()

    def __enter__(self) -> Response:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.close()


class Connections:
    """Connections to one host. Threads may share it."""

    def __init__(self, base_url: str, context: ssl.SSLContext | None = None) -> None:
        self._url = urlsplit(base_url)
        self._context = context
        self._proxy = _find_proxy(self._url)
        self._idle: deque[http.client.HTTPConnection] = deque()

    @property
    def is_local(self) -> bool:
        host = self._url.hostname or ""
        return host in ("localhost", "::1") or host.startswith("127.")

    def send(self, request: Request, deadline: float) -> Response:
        """
        Sends a request. One that meets a kept connection, which the service may have closed in the meantime, is sent
        again over a new one.
        """
        while (connection := self._take_idle()) is not None:
            with suppress(ConnectionError):
                return self._send_over(connection, request, deadline)
        return self._send_over(self._open(), request, deadline)

    def _take_idle(self) -> http.client.HTTPConnection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _send_over(self, connection: http.client.HTTPConnection, request: Request, deadline: float) -> Response:
        try:
            connection.timeout = _remaining(deadline)
            if connection.sock is not None:
                connection.sock.settimeout(connection.timeout)
            connection.request(request.method, self._target_of(request), request.body, self._headers_of(request))
            return Response(self, connection, deadline)
        except BaseException:
            connection.close()
            raise

    def release(self, connection: http.client.HTTPConnection) -> None:
        if connection.sock is None:
            return
        if len(self._idle) >= _IDLE_MAX:
            connection.close()
        else:
            self._idle.append(connection)

    def close(self) -> None:
        while (connection := self._take_idle()) is not None:
            connection.close()

    def _open(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", self._url.port
        through, tunnelled = (host, port), False
        if self._proxy is not None:
            through = (self._proxy.hostname or "", self._proxy.port or 8080)
            tunnelled = self._url.scheme == "https"
        connection: http.client.HTTPConnection
        if self._url.scheme == "https":
            # Reading the trusted certificates takes longer than a call.
            self._context = self._context or ssl.create_default_context()
            connection = http.client.HTTPSConnection(*through, context=self._context)
        else:
            connection = http.client.HTTPConnection(*through)
        if tunnelled:
            connection.set_tunnel(host, port or 443, self._proxy_headers())
        return connection

    def _target_of(self, request: Request) -> str:
        if self._proxy is None or self._url.scheme == "https":
            return request.target
        return f"{self._url.scheme}://{self._url.netloc}{request.target}"

    def _headers_of(self, request: Request) -> dict[str, str]:
        if self._proxy is None or self._url.scheme == "https":
            return dict(request.headers)
        return {**request.headers, **self._proxy_headers(), "host": self._url.netloc}

    def _proxy_headers(self) -> dict[str, str]:
        if self._proxy is None or self._proxy.username is None:
            return {}
        pair = f"{unquote(self._proxy.username)}:{unquote(self._proxy.password or '')}"
        return {"proxy-authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _find_proxy(url: SplitResult) -> SplitResult | None:
    """The proxy of the environment (HTTPS_PROXY, NO_PROXY, …), as `urllib` would use it."""
    address = getproxies().get(url.scheme)
    if not address or proxy_bypass(url.netloc):
        return None
    return urlsplit(address if "://" in address else f"http://{address}")
