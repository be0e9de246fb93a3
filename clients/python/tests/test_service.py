"""
The client against the real service: every method, over HTTP. A test of the project starts the service, publishes
records and sets the variables; without them these tests are skipped.
"""

from __future__ import annotations

import os
import unittest
from datetime import datetime, timezone

from tmds_client import FieldChange, NotFoundError, QueryTooBroadError, TrademarkClient, TrademarkDetail

SERVED = "TMDS_TEST_PYTHON"


@unittest.skipUnless(os.environ.get(SERVED), "no service is running")
class Service(unittest.TestCase):
    """Holds 41 records of US, one of which changed its status, and one of EM."""

    client: TrademarkClient

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = TrademarkClient()
        cls.addClassCleanup(cls.client.close)

    def test_searches_counts_and_walks(self) -> None:
        page = self.client.search(jurisdiction=["us", "EM"], nice_class=[9], count="capped", limit=1)
        self.assertEqual((len(page.items), page.matched_count_capped), (1, False))
        self.assertIsNotNone(page.meta.request_id)
        walk = self.client.search_all(jurisdiction_code="US", limit=7)
        records = list(walk)
        self.assertEqual((len({record.uid for record in records}), walk.cursor), (41, None))
        self.assertTrue(all(isinstance(record, TrademarkDetail) and not record.more for record in records))
        self.assertEqual(self.client.count(jurisdiction="US").matched_count, 41)
        with self.assertRaises(QueryTooBroadError):
            self.client.search(mark_name_contains="abc")

    def test_looks_up_records_by_identity_and_by_number(self) -> None:
        odd = 'ü/"quoted" \\ 商标 '
        record = self.client.get("US", odd, expand="payload")
        self.assertEqual((record.uid, record.opposition_period_end), (odd, "2026-12-01"))
        self.assertIsInstance(record.payload, dict)
        with self.assertRaises(NotFoundError) as raised:
            self.client.get("US", "no such")
        self.assertIsNotNone(raised.exception.request_id)
        found = self.client.find_numbers("EM", numbers=["018229854"])
        self.assertEqual([each.uid for each in found.items], ["EM-1"])

    def test_reads_the_feeds_to_their_end(self) -> None:
        walk = self.client.changes_all(since="1970-01-01", limit=10)
        uids = [record.uid for record in walk]
        self.assertEqual((len(uids), len(set(uids))), (42, 42))
        self.assertIsNotNone(walk.complete_to)
        self.assertIsNotNone(walk.lineage)
        self.assertEqual(list(self.client.changes_all(since="1970-01-01", cursor=walk.cursor)), [])
        page = next(self.client.changes_all(since="1970-01-01").follow())
        self.assertEqual(len(page.items), 42)

    def test_reads_the_history_of_all_and_of_one(self) -> None:
        walk = self.client.history_all(since="1970-01-01", field="status", cause=["office", "correction"])
        (event,) = list(walk)
        (change,) = event.changes
        self.assertIsInstance(change, FieldChange)
        assert isinstance(change, FieldChange)
        self.assertEqual((change.field, change.new), ("status", "Registered"))
        events = list(self.client.record_history_all("US", event.uid))
        self.assertEqual([each.cause for each in events], [event.cause, "first"])
        version = self.client.record_version("US", event.uid, events[1].version)
        self.assertEqual(version.status, change.old)

    def test_keeps_watches(self) -> None:
        made = self.client.put_watch("mine", name="My marks", search="jurisdiction=EM")
        self.assertEqual((made.id, made.kind, made.revision), ("mine", "search", 1))
        self.assertEqual([watch.id for watch in self.client.watches_all()], ["mine"])
        self.assertEqual(self.client.watch("mine").matches_now, 1)
        hits = self.client.hits_all("mine", since="1970-01-01")
        self.assertEqual(list(hits), [])
        said = self.client.diagnose("mine", jurisdiction_code="US", uid="none")
        self.assertEqual((said.verdict, said.criteria[0].holds), ("no_record", None))
        self.assertIsNotNone(self.client.delete_watch("mine").ended_at)

    def test_keeps_webhooks(self) -> None:
        made = self.client.put_webhook("mine", url="https://example.com/hooks")
        self.assertTrue((made.secret or "").startswith("whsec_"))
        self.assertIsNone(self.client.put_webhook("mine", url="https://example.com/hooks", is_off=True).secret)
        self.assertEqual([webhook.off_reason for webhook in self.client.webhooks_all()], ["customer"])
        self.assertNotEqual(self.client.renew_webhook_secret("mine", grace_seconds=60).secret, made.secret)
        self.assertIsNotNone(self.client.webhook("mine").old_secret_until)
        sent = self.client.test_webhook("mine")
        self.assertEqual([message.id for message in self.client.webhook_deliveries_all("mine")], [sent.id])
        self.assertEqual(self.client.delete_webhook("mine").id, "mine")
        self.assertEqual(self.client.webhooks().items, [])

    def test_reports_registers_usage_and_digests(self) -> None:
        registers = self.client.jurisdictions()
        self.assertEqual([each.jurisdiction_code for each in registers.items], ["EM", "US"])
        self.assertEqual(self.client.coverage("US").record_count, 41)
        self.assertGreater(self.client.usage().products[0].calls, 0)
        self.assertEqual(self.client.health().status, "ok")
        self.assertEqual(self.client.snapshots().items, [])
        self.assertEqual(self.client.deltas(as_of=datetime(2026, 1, 1, tzinfo=timezone.utc)).items, [])
        walk = self.client.changes_all(since="1970-01-01")
        list(walk)
        as_of = walk.complete_to or ""
        self.assertEqual(sum(each.record_count for each in self.client.digests(as_of=as_of).items), 42)
        bucket = self.client.register_digests("US", as_of=as_of).items[0].bucket
        self.assertTrue(self.client.bucket_digests("US", bucket, as_of=as_of).items[0].digest)


if __name__ == "__main__":
    unittest.main()
