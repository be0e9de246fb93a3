"""Connections to a real server: kept, replaced, cut, slow, compressed, and through a proxy."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

from tmds_client import TrademarkClient, TrademarkConnectionError, TrademarkProtocolError, TrademarkTimeoutError

FILE = bytes(range(256)) * 1_000


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Host

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def do_GET(self) -> None:
        self.server.calls.append((self.path, dict(self.headers)))
        name = self.path.rsplit("/", 1)[-1]
        getattr(self, f"answer_{name}", self.answer_usage)()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_usage(self) -> None:
        self._send(json.dumps({"ok": 1}).encode())

    def answer_closing(self) -> None:
        """The connection ends after the answer, without a word about it."""
        self.answer_usage()
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def answer_packed(self) -> None:
        self._send(gzip.compress(json.dumps({"text": "ä" * 10_000}).encode()), content_encoding="gzip")

    def answer_half(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "100")
        self.end_headers()
        self.wfile.write(b'{"items": [')
        self.close_connection = True

    def answer_moved(self) -> None:
        self._send(b"", 302, location="/elsewhere")

    def answer_dripping(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "1000")
        self.end_headers()
        for _ in range(100):
            if self.server.ending.wait(0.05):
                return
            try:
                self.wfile.write(b" ")
            except OSError:
                return

    def answer_file(self) -> None:
        asked = self.headers.get("range")
        start = int(asked[6:-1]) if asked else 0
        rest = FILE[start:]
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("content-range", f"bytes {start}-{len(FILE) - 1}/{len(FILE)}")
        self.send_header("content-length", str(len(rest)))
        self.end_headers()
        broken = len(self.server.calls) == 1
        self.wfile.write(rest[:100_000] if broken else rest)
        self.close_connection = broken


class Host(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.connections = 0
        self.calls: list[tuple[str, dict[str, str]]] = []
        self.ending = threading.Event()


class Connections(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        thread = threading.Thread(target=self.host.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        self.address = f"http://127.0.0.1:{self.host.server_address[1]}"
        self.client = TrademarkClient("key", f"{self.address}/records/", max_retries=0)

        def end() -> None:
            self.host.ending.set()
            self.client.close()
            self.host.shutdown()
            self.host.server_close()

        self.addCleanup(end)

    def test_calls_share_a_connection(self) -> None:
        for _ in range(5):
            self.assertEqual(self.client.request("/v1/usage")[0], {"ok": 1})
        self.assertEqual(self.host.connections, 1)
        path, headers = self.host.calls[0]
        self.assertEqual(
            (path, headers["x-api-key"], headers["accept-encoding"]), ("/records/v1/usage", "key", "identity")
        )

    def test_threads_may_share_a_client(self) -> None:
        failures: list[BaseException] = []

        def call() -> None:
            try:
                for _ in range(20):
                    self.client.request("/v1/usage")
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, len(self.host.calls)), ([], 80))
        self.assertLessEqual(self.host.connections, 4)

    def test_a_kept_connection_that_has_ended_is_replaced(self) -> None:
        self.client.request("/v1/closing")
        self.assertEqual(self.client.request("/v1/usage")[1].attempts, 1)
        self.assertEqual(self.host.connections, 2)

    def test_reads_a_compressed_answer(self) -> None:
        self.assertEqual(self.client.request("/v1/packed")[0], {"text": "ä" * 10_000})

    def test_a_cut_answer_is_no_answer(self) -> None:
        with self.assertRaises(TrademarkConnectionError):
            self.client.request("/v1/half")

    def test_the_time_limit_is_for_the_whole_answer(self) -> None:
        with self.assertRaises(TrademarkTimeoutError):
            self.client.with_options(timeout=0.3).request("/v1/dripping")

    def test_a_redirect_is_not_followed(self) -> None:
        with self.assertRaises(TrademarkProtocolError):
            self.client.request("/v1/moved")
        self.assertEqual(len(self.host.calls), 1)

    def test_a_refused_connection_says_so(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with self.assertRaisesRegex(TrademarkConnectionError, "no answer from the service"):
            TrademarkClient("key", address, max_retries=0).usage()

    def test_a_broken_download_continues(self) -> None:
        client = self.client.with_options(max_retries=1)
        object.__setattr__(client._transport, "sleep", lambda seconds: None)
        digest = hashlib.sha256()
        for piece in client.snapshot_file("s", "file"):
            digest.update(piece)
        self.assertEqual(digest.digest(), hashlib.sha256(FILE).digest())
        self.assertEqual([call[1].get("range") for call in self.host.calls], [None, "bytes=100000-"])

    def test_a_proxy_of_the_environment_is_used(self) -> None:
        with mock.patch.dict(os.environ, {"http_proxy": self.address.replace("://", "://me:pass@"), "no_proxy": ""}):
            client = TrademarkClient("key", "http://service.invalid/records", max_retries=0)
        client.request("/v1/usage")
        path, headers = self.host.calls[0]
        self.assertEqual(path, "http://service.invalid/records/v1/usage")
        self.assertEqual(headers["proxy-authorization"], "Basic bWU6cGFzcw==")
        client.close()


if __name__ == "__main__":
    unittest.main()
