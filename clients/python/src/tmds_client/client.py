"""
The client: its settings, and the calls that differ from the others. The methods of most endpoints are in `calls.py`.
"""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, TypeVar

from .calls import Calls
from .config import RETRIES_DEFAULT, TIMEOUT_DEFAULT_SECONDS, check_retries, check_timeout, read_config
from .connections import Connections
from .errors import TrademarkProtocolError
from .export import ExportWalk
from .model import AnswerMeta, Model
from .models import SnapshotFile, TrademarkDetail
from .query import build_path, encode_query
from .transport import Sender, Transport, parse_object

M = TypeVar("M", bound=Model)

_FILE_BYTES_MAX = 256 * 1024**2


class TrademarkClient(Calls):
    """
    The Record API. Threads may share a client; it keeps connections open, which `close()` or `with` ends.

    Args:
        api_key: default: the environment variable `TMDS_API_KEY`
        base_url: the service with the product's path, such as `https://host/records`; default: `TMDS_BASE_URL`
        timeout: how long one attempt may take, including the body, in seconds: up to 600
        max_retries: retries after a failure that may be temporary: 0 to 20
        headers: sent with every call; they cannot replace the key
        sender: sends the requests instead of the client's own connections, for tests

    Raises:
        ValueError: a setting is missing or invalid
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = TIMEOUT_DEFAULT_SECONDS,
        max_retries: int = RETRIES_DEFAULT,
        headers: Mapping[str, str] | None = None,
        sender: Sender | None = None,
    ) -> None:
        config = read_config(api_key, base_url, timeout, max_retries, headers)
        connections = Connections(config.base_url)
        self._connections = connections
        self._transport = Transport(config, sender or connections, compressed=not connections.is_local)

    def __repr__(self) -> str:
        return f"TrademarkClient(base_url={self.base_url!r})"

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._transport.config.base_url

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> TrademarkClient:
        """A client with other limits, over the same connections: `client.with_options(timeout=2).get(…)`."""
        config = self._transport.config
        if timeout is not None:
            config = replace(config, timeout_seconds=check_timeout(timeout))
        if max_retries is not None:
            config = replace(config, max_retries=check_retries(max_retries))
        other = object.__new__(TrademarkClient)
        other._connections = self._connections
        other._transport = replace(self._transport, config=config)
        return other

    def close(self) -> None:
        """Closes the connections that are kept. A later call opens them again."""
        self._connections.close()

    def __enter__(self) -> TrademarkClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def snapshot_file(self, snapshot_id: str, file: str, *, start: int = 0) -> Iterator[bytes]:
        """
        The bytes of a file of a snapshot or delta as they arrive: `GET /v1/snapshots/{snapshot_id}/{file}`. A broken
        download continues where it stopped. One unit for each attempt. Compare the SHA-256 with the manifest's.

        Args:
            start: how many bytes of the file to leave out, because you have them
        """
        if start < 0:
            raise ValueError("start must be 0 or more")
        return self._transport.download(self._path(build_path("snapshots", snapshot_id, file)), start)

    def file_records(self, snapshot_id: str, file: SnapshotFile) -> Iterator[TrademarkDetail]:
        """
        The records of a JSON Lines file of a snapshot or delta, in the order of the feed. The file, up to 256 MB, is
        downloaded and compared with the SHA-256 of its manifest before the first of them. Each record takes the place
        of the one with its `jurisdiction_code` and `uid`.

        Raises:
            TrademarkProtocolError: what arrived is not what the manifest says
        """
        if file.format != "jsonl" or file.bytes > _FILE_BYTES_MAX:
            raise ValueError("file must be a file of the format jsonl, up to 256 MB")
        text = b"".join(self.snapshot_file(snapshot_id, file.name))
        if hashlib.sha256(text).hexdigest() != file.sha256:
            raise TrademarkProtocolError(f"{file.name} is not what its manifest says: download it again")
        with gzip.open(io.BytesIO(text)) as lines:
            for line in lines:
                data = parse_object(line)
                if data is None:
                    raise TrademarkProtocolError(f"{file.name} has a line that is no record")
                yield TrademarkDetail.from_dict(data)

    def request(self, path: str, **query: Any) -> tuple[dict[str, Any], AnswerMeta]:
        """
        GET of any path below the base address, such as `/v1/trademarks`, for endpoints that have no method here yet.

        Returns:
            the body as it was parsed, and what the headers say
        """
        segments = path.split("/")
        if not path.startswith("/") or path.startswith("//") or set(path) & set("?#\\ ") or {".", ".."} & set(segments):
            raise ValueError("path must start with a single / and have no query, fragment or dot segment")
        body, meta = self._transport.call("GET", self._path(path) + encode_query(query))
        return dict(body), meta

    def _export(self, query: Mapping[str, Any], cursor: str | None) -> ExportWalk:
        def target(at: str | None) -> str:
            return self._path(build_path("export")) + encode_query({**query, "cursor": at})

        return ExportWalk(self._transport, target, cursor)

    def _path(self, path: str) -> str:
        base = self.base_url.split("/", 3)
        above = f"/{base[3]}" if len(base) > 3 else ""
        # The path of another product stands in the place of the one that the address ends with.
        return (above.rpartition("/")[0] if path.startswith("/analytics/") else above) + path

    def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any],
        model: type[M],
        *,
        body: Mapping[str, Any] | None = None,
        metered: bool = True,
    ) -> M:
        target = self._path(path) + encode_query(query)
        data, meta = self._transport.call(method, target, body, max_retries=None if metered else 0)
        try:
            return model.from_dict(data, meta)
        except ValueError as error:
            raise TrademarkProtocolError(f"an unexpected answer: {error}", request_id=meta.request_id) from error
