"""The header ``Coverage`` as an attribute of an answer."""

from __future__ import annotations

import unittest

from tmds_client import Completeness, NotFoundError

from .support import PlayedSender, answer, build_client, refusal


class Coverage(unittest.TestCase):
    def test_answers_say_which_registers_they_cover(self) -> None:
        header = 'EM;through="2026-11-25", US;through="2026-11-20";late;rejects=3, *;registers=9;gaps=1, UK;unserved'
        sender = PlayedSender(answer({"items": [], "next_cursor": None}, coverage=header))
        coverage = build_client(sender).search(mark_name="none").meta.coverage
        assert coverage is not None
        self.assertEqual(coverage.registers["EM"], Completeness("2026-11-25"))
        self.assertEqual(coverage.registers["US"], Completeness("2026-11-20", late=True, rejects=3))
        self.assertEqual((coverage.others, coverage.others_count), (Completeness(gaps=1), 9))
        self.assertEqual(coverage.unserved, ("UK",))

    def test_a_record_that_is_not_found_says_how_complete_its_register_is(self) -> None:
        header = 'US;through="2026-11-20";late'
        sender = PlayedSender(refusal("not_found", 404, coverage=header))
        with self.assertRaises(NotFoundError) as raised:
            build_client(sender).get("US", "1")
        coverage = raised.exception.coverage
        assert coverage is not None
        self.assertEqual(coverage.registers["US"], Completeness("2026-11-20", late=True))

    def test_a_header_of_another_form_is_passed_over(self) -> None:
        for header in ("", "<html>", 'EM;through="soon"'):
            sender = PlayedSender(answer({"items": [], "next_cursor": None}, coverage=header))
            self.assertIsNone(build_client(sender).search(mark_name="none").meta.coverage)


if __name__ == "__main__":
    unittest.main()
