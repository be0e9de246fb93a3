"""Exports: pages that count once their position has arrived, continued after any end of a stream."""

from __future__ import annotations

import json
import unittest
from typing import Any

from tmds_client import QuotaExceededError, TrademarkConnectionError, TrademarkProtocolError

from .support import PlayedReply, PlayedSender, answer, build_client, refusal


def stream(*lines: Any, rest: str = "") -> PlayedReply:
    text = "".join(f"{json.dumps(line)}\n" for line in lines) + rest
    return answer(text, x_request_id="r1", coverage='US;through="2026-11-20"')


def record(uid: str) -> dict[str, str]:
    return {"uid": uid}


def position(cursor: str | None, **members: Any) -> dict[str, Any]:
    return {"next_cursor": cursor, **members}


class Exports(unittest.TestCase):
    def test_a_stream_that_ends_or_is_cut_is_continued_without_loss_or_repetition(self) -> None:
        sender = PlayedSender(
            stream(record("1"), position("c1"), record("2"), rest='{"uid'),
            OSError("reset"),
            stream(record("2"), position("c2")),
            stream(record("3"), position(None)),
        )
        sleeps: list[float] = []
        walk = build_client(sender, sleeps).export(jurisdiction=["US"], fields=["uid"])
        self.assertEqual([each["uid"] for each in walk], ["1", "2", "3"])
        self.assertEqual(
            [target.partition("cursor=")[2] for target in sender.targets],
            ["", "c1", "c1", "c2"],
        )
        self.assertEqual(sender.targets[0], "/records/v1/export?fields=uid&jurisdiction=US")
        self.assertEqual((walk.cursor, len(sleeps)), (None, 2))
        assert walk.coverage is not None
        self.assertEqual(walk.coverage.registers["US"].complete_through, "2026-11-20")

    def test_a_rate_is_waited_for_and_a_quota_raises_with_the_position(self) -> None:
        limited = {"code": "rate_limited", "message": "wait", "retry_after": 7}
        ended = {"code": "quota_exceeded", "message": "no units are left"}
        sender = PlayedSender(
            stream(record("1"), position("c1"), position("c1", error=limited)),
            stream(record("2"), position("c2"), position("c2", error=ended)),
        )
        sleeps: list[float] = []
        walk = build_client(sender, sleeps).export(jurisdiction="US")
        seen: list[str] = []
        with self.assertRaises(QuotaExceededError) as raised:
            for each in walk:
                seen.append(each["uid"])
        self.assertEqual((seen, walk.cursor, sleeps), (["1", "2"], "c2", [7.0]))
        self.assertEqual((raised.exception.request_id, raised.exception.code), ("r1", "quota_exceeded"))

    def test_a_first_page_that_is_refused_raises_as_any_call(self) -> None:
        sender = PlayedSender(refusal("quota_exceeded", 429))
        with self.assertRaises(QuotaExceededError):
            list(build_client(sender).export(jurisdiction="US"))

    def test_a_stream_without_progress_ends(self) -> None:
        sender = PlayedSender(stream(record("1"), position("c1"), record("2"), position("c1")))
        with self.assertRaises(TrademarkProtocolError):
            list(build_client(sender).export(jurisdiction="US"))
        sender = PlayedSender(stream(record("1")))
        with self.assertRaises(TrademarkConnectionError):
            list(build_client(sender).export(jurisdiction="US"))
        self.assertEqual(len(sender.requests), 4)

    def test_lists_of_several_registers_fit_into_an_address(self) -> None:
        sender = PlayedSender(answer({"items": [], "asked": [], "coverage": None}))
        client = build_client(sender)
        client.find_identities(identities=[("US", "a,b% "), ("EM", "x:1")])
        self.assertEqual(sender.targets[0], "/records/v1/identities?identities=US:a%252Cb%2525%2520,EM:x:1")
        client.find_identities(identities=[("US", f"{at:027}") for at in range(500)])
        self.assertLess(len(sender.targets[1]), 16_384)


if __name__ == "__main__":
    unittest.main()
