"""The package as a whole: nothing but the standard library, short files, and documentation for what it exports."""

from __future__ import annotations

import ast
import inspect
import sys
import unittest
from pathlib import Path

import tmds_client
from tmds_client import models
from tmds_client.model import Model

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [*sorted((ROOT / "src" / "tmds_client").glob("*.py")), ROOT / "packaging" / "backend.py"]
GENERATED = {"calls.py", "models.py", "refusals.py"}
LINES_MAX = 350
COLUMNS_MAX = 120


class Package(unittest.TestCase):
    def test_imports_the_standard_library_alone(self) -> None:
        for path in SOURCES:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                for name in names:
                    self.assertIn(name.split(".")[0], sys.stdlib_module_names, path.name)

    def test_files_and_lines_stay_short(self) -> None:
        for path in SOURCES + sorted((ROOT / "tests").glob("*.py")):
            if path.name in GENERATED:
                continue
            lines = path.read_text(encoding="utf-8").splitlines()
            self.assertLessEqual(len(lines), LINES_MAX, path.name)
            self.assertEqual([line for line in lines if len(line) > COLUMNS_MAX], [], path.name)

    def test_everything_that_is_exported_is_there_and_documented(self) -> None:
        for name in tmds_client.__all__:
            value = getattr(tmds_client, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                self.assertTrue(inspect.getdoc(value), name)
        for name, method in inspect.getmembers(tmds_client.TrademarkClient, inspect.isfunction):
            if not name.startswith("_"):
                self.assertTrue(inspect.getdoc(method), name)

    def test_every_member_has_a_type_that_holds_a_value(self) -> None:
        for name, value in inspect.getmembers(models, inspect.isclass):
            if issubclass(value, Model):
                for member, annotation in inspect.get_annotations(value).items():
                    self.assertNotEqual(annotation, "None", f"{name}.{member}")

    def test_reads_objects_that_may_be_null(self) -> None:
        evidence = [{"strategy": "equal", "text": "The same letters"}]
        likeness = {"name": "rheo", "held_as": "mark", "evidence": evidence, "goods": None}
        found = models.HitLikeness.from_dict({**likeness, "goods": {"relation": "same", "nice_classes": [9]}})
        self.assertEqual(found.goods and found.goods.nice_classes, [9])
        self.assertIsNone(models.HitLikeness.from_dict(likeness).goods)
        self.assertEqual(found.evidence[0].text, "The same letters")


if __name__ == "__main__":
    unittest.main()
