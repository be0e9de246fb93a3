"""Walks over pages: where they end, what they leave to continue from, and what following waits out."""

from __future__ import annotations

import threading
import unittest
from typing import Any
from unittest import mock

from tmds_client import TrademarkApiError, TrademarkProtocolError

from .support import PlayedSender, answer, build_client, build_record, refusal


def page(uids: list[str], cursor: str | None, **members: Any) -> Any:
    items = [build_record(uid=uid) for uid in uids]
    body = {"items": items, "next_cursor": cursor, **members}
    return answer(body, x_change_horizon="2026-01-01T00:00:00.000000Z", feed_lineage="l1")


class Searches(unittest.TestCase):
    def test_returns_every_record_and_knows_how_many_match(self) -> None:
        counted = {"matched_count": 3, "matched_count_capped": False}
        sender = PlayedSender(page(["1", "2"], "c1", **counted), page(["3"], None))
        walk = build_client(sender).search_all(mark_name="x", count="capped")
        self.assertEqual([record.uid for record in walk], ["1", "2", "3"])
        self.assertEqual((walk.matched_count, walk.matched_count_capped, walk.cursor), (3, False, None))
        self.assertIn("limit=500", sender.targets[0])
        self.assertIn("cursor=c1", sender.targets[1])

    def test_ends_after_items_max_and_leaves_where_to_continue(self) -> None:
        sender = PlayedSender(page(["1", "2"], "c1"), page(["3"], "c2"))
        walk = build_client(sender).search_all(mark_name="x", items_max=3, limit=2)
        self.assertEqual(len(list(walk)), 3)
        self.assertEqual(walk.cursor, "c2")
        self.assertIn("limit=1", sender.targets[1])

    def test_asks_for_smaller_pages_with_documents(self) -> None:
        sender = PlayedSender(page([], None))
        list(build_client(sender).search_all(mark_name="x", expand="payload"))
        self.assertIn("limit=50", sender.targets[0])

    def test_a_page_that_does_not_advance_ends_the_walk(self) -> None:
        sender = PlayedSender(page(["1"], "c1"))
        with self.assertRaises(TrademarkProtocolError):
            list(build_client(sender).search_all(mark_name="x"))
        self.assertEqual(len(sender.requests), 2)


class Feeds(unittest.TestCase):
    def test_the_cursor_advances_when_a_page_has_been_consumed(self) -> None:
        sender = PlayedSender(page(["1"], "c1"), page(["2"], "c2"), page([], None))
        walk = build_client(sender).changes_all(since="2026-01-01", cursor="c0")
        seen: list[tuple[str | None, str | None]] = []
        for each in walk.pages():
            seen.append((walk.cursor, each.next_cursor))
        self.assertEqual(seen, [("c0", "c1"), ("c1", "c2")])
        self.assertEqual((walk.cursor, walk.complete_to, walk.lineage), ("c2", "2026-01-01T00:00:00.000000Z", "l1"))

    def test_an_empty_page_of_the_history_with_a_cursor_is_not_the_end(self) -> None:
        sender = PlayedSender(page([], "c1"), page([], None))
        walk = build_client(sender).history_all(since="2026-01-01", owner_name="x")
        self.assertEqual((list(walk), walk.cursor, len(sender.requests)), ([], "c1", 2))

    def test_following_polls_after_the_end_and_stops_when_asked(self) -> None:
        sender = PlayedSender(page(["1"], "c1"), page([], None), page(["2"], "c2"), page([], None))
        walk = build_client(sender).changes_all(since="2026-01-01")
        stop = threading.Event()
        seen: list[str] = []
        with mock.patch.object(stop, "wait") as wait:
            for each in walk.follow(poll_seconds=5, stop=stop):
                seen.extend(record.uid for record in each.items)
                if len(seen) == 2:
                    stop.set()
        self.assertEqual(seen, ["1", "2"])
        self.assertEqual([call.args for call in wait.call_args_list], [(5,)])
        self.assertEqual(walk.cursor, "c2")

    def test_following_waits_out_what_passes_and_raises_what_does_not(self) -> None:
        sender = PlayedSender(
            refusal("quota_exceeded", 429),
            refusal("internal_error", 500),
            page(["1"], "c1"),
            refusal("key_revoked", 403),
        )
        walk = build_client(sender).changes_all(since="2026-01-01")
        stop = threading.Event()
        with mock.patch.object(stop, "wait") as wait, self.assertLogs("tmds_client", "WARNING") as logs:
            following = walk.follow(stop=stop)
            self.assertEqual(next(following).items[0].uid, "1")
            with self.assertRaises(TrademarkApiError) as raised:
                next(following)
        self.assertEqual(raised.exception.code, "key_revoked")
        self.assertEqual((wait.call_count, len(logs.output)), (2, 2))

    def test_following_gives_a_failure_back_when_patience_ends(self) -> None:
        walk = build_client(PlayedSender(OSError("down")), max_retries=0).changes_all(since="2026-01-01")
        with self.assertRaisesRegex(Exception, "down"):
            next(walk.follow(patience_seconds=0))


if __name__ == "__main__":
    unittest.main()
