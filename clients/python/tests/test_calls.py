"""One call: what is sent, what is retried, and what an answer becomes."""

from __future__ import annotations

import gzip
import hashlib
import json
import unittest
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from unittest import mock

from tmds_client import (
    NotFoundError,
    RecordIdentity,
    TrademarkApiError,
    TrademarkClient,
    TrademarkConnectionError,
    TrademarkProtocolError,
    TrademarkTimeoutError,
)
from tmds_client.models import SnapshotFile

from .support import PlayedSender, Step, answer, build_client, build_record, refusal

PAGE: dict[str, Any] = {"items": [], "next_cursor": None}


class Queries(unittest.TestCase):
    def test_writes_lists_dates_and_instants_as_the_service_takes_them(self) -> None:
        sender = PlayedSender(answer(PAGE))
        east = timezone(timedelta(hours=2))
        build_client(sender).search(
            jurisdiction=["US", "EM"],
            nice_class=9,
            status=["Registered"],
            application_date_from=date(2026, 1, 2),
            updated_since=datetime(2026, 1, 2, 2, 0, 0, 5, tzinfo=east),
            mark_name="ä&b",
        )
        self.assertEqual(
            sender.targets,
            [
                "/records/v1/trademarks?jurisdiction=US%2CEM&status=Registered&nice_class=9&mark_name=%C3%A4%26b"
                "&updated_since=2026-01-02T00%3A00%3A00.000005Z&application_date_from=2026-01-02"
            ],
        )

    def test_uses_the_endpoint_of_a_register(self) -> None:
        sender = PlayedSender(answer(PAGE))
        client = build_client(sender)
        client.search(jurisdiction_code="US", mark_name="x")
        client.changes(jurisdiction_code="EM", since="2026-01-01")
        client.find_numbers("EM", numbers=["018,229,854", " 97/1 "])
        self.assertEqual(
            sender.targets,
            [
                "/records/v1/US/trademarks?mark_name=x",
                "/records/v1/EM/changes?since=2026-01-01",
                "/records/v1/EM/numbers?numbers=018229854,97%2F1",
            ],
        )

    def test_refuses_what_cannot_be_written(self) -> None:
        client = build_client(PlayedSender(answer(PAGE)))
        wrong: list[Callable[[], object]] = [
            lambda: client.get("US", ".."),
            lambda: client.get("US", ""),
            lambda: client.search(updated_since=datetime(2026, 1, 2)),
            lambda: client.search(mark_name=1.5),  # type: ignore[arg-type]
            lambda: client.request("//other/v1"),
            lambda: client.snapshot_file("s", "f", start=-1),
            lambda: TrademarkClient("key", "https://user:secret@host"),
            lambda: TrademarkClient("key", "ftp://host"),
            lambda: TrademarkClient('"key"\n', "https://host"),
            lambda: TrademarkClient("key", "https://host", max_retries=21),
            lambda: TrademarkClient("key", "https://host", timeout=0),
        ]
        for call in wrong:
            with self.assertRaises((ValueError, TypeError)) as raised:
                call()
            self.assertNotIn("secret", str(raised.exception))

    def test_the_records_of_a_file_are_those_that_its_manifest_describes(self) -> None:
        client = build_client(PlayedSender(answer({})))
        number = "12345678901234567890.10"
        lines = [build_record(uid="a"), build_record(uid="b", payload={"n": 0})]
        text = "".join(f"{json.dumps(line)}\n" for line in lines).replace('"n": 0', f'"n": {number}').encode()
        packed = gzip.compress(text)
        digest = hashlib.sha256(packed).hexdigest()
        members = {"name": "US-0001.jsonl.gz", "format": "jsonl", "bytes": len(packed), "record_count": 2}
        file = SnapshotFile.from_dict({**members, "sha256": digest})
        with mock.patch.object(TrademarkClient, "snapshot_file", side_effect=lambda *_: iter([packed[:9], packed[9:]])):
            records = list(client.file_records("20261127T050000000Z-day", file))
            self.assertEqual([record.uid for record in records], ["a", "b"])
            self.assertEqual(records[1].to_dict()["payload"]["n"], Decimal(number))
            wrong = SnapshotFile.from_dict({**members, "sha256": "0" * 64})
            with self.assertRaisesRegex(TrademarkProtocolError, "not what its manifest says"):
                list(client.file_records("s", wrong))
            table = SnapshotFile.from_dict({**members, "sha256": digest, "format": "parquet"})
            with self.assertRaises(ValueError):
                list(client.file_records("s", table))

    def test_sends_a_watch_as_json_without_what_is_left_out(self) -> None:
        watch = {
            "id": "w",
            "name": "mine",
            "reference": "M-2041",
            "kind": "records",
            "search": None,
            "item_count": 1,
            "revision": 1,
            "created_at": "t",
            "changed_at": "t",
            "holds_from": "t",
            "ended_at": None,
        }
        sender = PlayedSender(answer(watch))
        made = build_client(sender).put_watch(
            "w", name="mine", reference="M-2041", records=[RecordIdentity(jurisdiction_code="US", uid="1")]
        )
        request = sender.requests[0]
        self.assertEqual((request.method, request.target), ("PUT", "/records/v1/watches/w"))
        self.assertEqual(
            json.loads(request.body or b""),
            {"name": "mine", "reference": "M-2041", "records": [{"jurisdiction_code": "US", "uid": "1"}]},
        )
        self.assertEqual(made.to_dict(), watch)

    def test_never_shows_the_key(self) -> None:
        client = build_client(PlayedSender(refusal("unauthorized", 401)), headers={"X-API-Key": "other"})
        with self.assertRaises(TrademarkApiError) as raised:
            client.usage()
        for text in (repr(client), str(raised.exception), repr(client._transport)):
            self.assertNotIn("'key'", text)


class Answers(unittest.TestCase):
    def test_reads_records_with_every_digit_and_unknown_members(self) -> None:
        body = build_record(nice_classes=[9, 42], payload="@", novelty=[1])
        text = json.dumps(body).replace('"@"', '{"a":9007199254740993,"b":0.10000000000000000001}')
        client = build_client(PlayedSender(answer(text, x_request_id="r7", x_ratelimit_remaining="41")))
        record = client.get("US", "US-1", expand="payload")
        self.assertEqual(record.nice_classes, [9, 42])
        self.assertEqual(record.payload, {"a": 9007199254740993, "b": Decimal("0.10000000000000000001")})
        self.assertEqual(record.more, {"novelty": [1]})
        self.assertEqual((record.meta.request_id, record.meta.rate_remaining), ("r7", 41))
        self.assertEqual({**record.to_dict(), "payload": 1}, {**body, "payload": 1})

    def test_an_answer_without_a_member_is_a_breach_of_the_contract(self) -> None:
        with self.assertRaisesRegex(TrademarkProtocolError, "SearchPage without items"):
            build_client(PlayedSender(answer({"next_cursor": None}))).search(mark_name="x")

    def test_raises_the_class_of_the_code_with_what_the_service_said(self) -> None:
        body = {"error": {"code": "invalid_parameter", "message": "no", "param": "limit"}}
        client = build_client(PlayedSender(answer(body, 400, x_request_id="r1")))
        with self.assertRaises(TrademarkApiError) as raised:
            client.search(limit=0)
        error = raised.exception
        self.assertEqual(type(error).__name__, "InvalidParameterError")
        self.assertEqual(
            (error.code, error.param, error.status, error.request_id), ("invalid_parameter", "limit", 400, "r1")
        )
        with self.assertRaises(NotFoundError):
            build_client(PlayedSender(refusal("not_found", 404))).get("US", "1")

    def test_a_code_of_a_newer_service_is_a_plain_refusal(self) -> None:
        with self.assertRaises(TrademarkApiError) as raised:
            build_client(PlayedSender(refusal("moon_phase", 409))).usage()
        self.assertEqual((raised.exception.code, raised.exception.retryable), ("moon_phase", False))

    def test_an_answer_of_another_server_says_so(self) -> None:
        with self.assertRaisesRegex(TrademarkProtocolError, "is base_url right"):
            build_client(PlayedSender(answer("<html>", 404))).usage()


class Retries(unittest.TestCase):
    def test_waits_for_retry_after_and_backs_off(self) -> None:
        sleeps: list[float] = []
        sender = PlayedSender(
            refusal("rate_limited", 429, retry_after="7"),
            refusal("unavailable", 503),
            answer("<html>", 502),
            answer(PAGE),
        )
        page = build_client(sender, sleeps).search(mark_name="x")
        self.assertEqual(sleeps, [7.0, 0.5, 1.0])
        self.assertEqual(page.meta.attempts, 4)

    def test_repeats_lost_connections_cut_answers_and_timeouts(self) -> None:
        steps: list[Step] = [ConnectionResetError("reset"), answer('{"items": ['), TimeoutError(), answer(PAGE)]
        sender = PlayedSender(*steps)
        build_client(sender).search(mark_name="x")
        self.assertEqual(len(sender.requests), 4)

    def test_stops_after_max_retries(self) -> None:
        for step, expected in ((OSError("down"), TrademarkConnectionError), (TimeoutError(), TrademarkTimeoutError)):
            sender = PlayedSender(step)
            with self.assertRaises(expected):
                build_client(sender, max_retries=2).search(mark_name="x")
            self.assertEqual(len(sender.requests), 3)

    def test_never_repeats_what_cannot_help(self) -> None:
        for code, status in (("not_found", 404), ("quota_exceeded", 429), ("query_timeout", 422)):
            sender = PlayedSender(refusal(code, status))
            with self.assertRaises(TrademarkApiError):
                build_client(sender).search(mark_name="x")
            self.assertEqual(len(sender.requests), 1, code)

    def test_does_not_wait_for_longer_than_two_minutes(self) -> None:
        sleeps: list[float] = []
        with self.assertRaises(TrademarkApiError) as raised:
            build_client(PlayedSender(refusal("rate_limited", 429, retry_after="121")), sleeps).usage()
        self.assertEqual((sleeps, raised.exception.retry_after_seconds), ([], 121.0))

    def test_health_is_asked_once(self) -> None:
        sender = PlayedSender(refusal("unavailable", 503))
        with self.assertRaises(TrademarkApiError):
            build_client(sender).health()
        self.assertEqual(len(sender.requests), 1)

    def test_other_limits_are_for_the_calls_of_one_client(self) -> None:
        sender = PlayedSender(OSError("down"))
        client = build_client(sender)
        with self.assertRaises(TrademarkConnectionError):
            client.with_options(max_retries=0).usage()
        self.assertEqual(len(sender.requests), 1)
        with self.assertRaises(TrademarkConnectionError):
            client.usage()
        self.assertEqual(len(sender.requests), 5)


class WordsOfTheLanguage(unittest.TestCase):
    def test_a_parameter_called_from_has_an_underscore_here_and_none_in_the_service(self) -> None:
        sender = PlayedSender(answer({"items": [], "next_cursor": None, "disclaimer": ""}))
        build_client(sender).due_dates(from_="2026-01-01", to="2026-12-31", owner_name="x")
        self.assertIn("from=2026-01-01", sender.targets[0])


if __name__ == "__main__":
    unittest.main()
