"""Verdicts by names of the package, against what the mint says that it minted.

Run by `make test-wheel` with a Python that has the wheel; needs no other package, and tests tables where pyarrow is.
"""

import collections
import gzip
import importlib.util
import json
import os
import unittest
from pathlib import Path

import receiptmill

SAMPLES = Path(__file__).resolve().parents[2] / "data-samples"
TOTALS = json.loads((SAMPLES / "truth.json").read_text())["totals"]
LIBRARY = os.environ.get("RECEIPTMILL_LIBRARY") or Path(receiptmill.__file__).with_name("libreceiptmill.so").exists()


def texts(value):
    """Every text inside a line's value."""
    if isinstance(value, str):
        yield value
    for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(inside)


def documents():
    """What may be a receipt in the sample's lines, whose senders call it by several names."""
    with gzip.open(SAMPLES / "receipts-001.jsonl.gz", "rt") as lines:
        for line in lines:
            try:
                yield from (text for text in texts(json.loads(line)) if len(text) > 1000)
            except ValueError:
                continue


@unittest.skipUnless(LIBRARY, "this wheel has no libreceiptmill")
class Verdicts(unittest.TestCase):
    def setUp(self):
        self.verifier = receiptmill.Verifier(trust=(SAMPLES / "root.pem").read_text())

    def test_are_those_of_the_mint(self):
        found = [self.verifier.verify(document) for document in documents()]
        by_digest = {one.sha256: one.verdict for one in found if one.kind}
        self.assertEqual(dict(collections.Counter(by_digest.values())), TOTALS["receipts_by_verdict"])

    def test_of_a_table_are_the_same(self):
        if not importlib.util.find_spec("pyarrow"):
            self.skipTest("no pyarrow here")
        import pyarrow

        table = self.verifier.verify_table(pyarrow.table({"receipt": list(documents())}))
        rows = table.select(["sha256", "kind", "verdict"]).to_pylist()
        by_digest = {row["sha256"]: row["verdict"] for row in rows if row["kind"]}
        self.assertEqual(dict(collections.Counter(by_digest.values())), TOTALS["receipts_by_verdict"])

    def test_of_whatever_shows_its_rows_to_arrow_are_the_same(self):
        found = list(documents())
        tables = {"a list": (found, {"pyarrow"}), "pandas": (None, {"pyarrow", "pandas"}), "polars": (None, {"pyarrow", "polars"}),
                  "DuckDB": (None, {"pyarrow", "duckdb"})}  # fmt: skip
        missing = {name for _, names in tables.values() for name in names if not importlib.util.find_spec(name)}
        if "pyarrow" in missing:
            self.skipTest("no pyarrow here")
        import pyarrow

        expected = self.verifier.verify_table(pyarrow.table({"receipt": found}))
        if "pandas" not in missing:
            import pandas

            tables["pandas"] = (pandas.DataFrame({"receipt": found, "line": range(len(found))}), set())
            tables["a column of pandas"] = (pandas.Series(found), set())
        if "polars" not in missing:
            import polars

            tables["polars"] = (polars.DataFrame({"receipt": found, "line": range(len(found))}), set())
            tables["a column of polars"] = (polars.Series(found), set())
        if "duckdb" not in missing:
            import duckdb

            ours = pyarrow.table({"receipt": found})
            tables["DuckDB"] = (duckdb.sql("SELECT receipt FROM ours"), set())
        for name, (table, needed) in tables.items():
            with self.subTest(name):
                if needed & missing:
                    self.skipTest(f"needs {', '.join(needed & missing)}")
                self.assertEqual(self.verifier.verify_table(table), expected)

    def test_of_many_documents_come_in_their_order(self):
        if not importlib.util.find_spec("pyarrow"):
            self.skipTest("no pyarrow here")
        found = list(documents())[:50]
        several = self.verifier.verify_table(found * 200)["sha256"].to_pylist()
        self.assertEqual(several, self.verifier.verify_table(found)["sha256"].to_pylist() * 200)

    def test_of_other_types_are_refused(self):
        with self.assertRaisesRegex(TypeError, "a document is a text or bytes, not int"):
            self.verifier.verify(5)
        with self.assertRaisesRegex(TypeError, "certificates are a text or the path of a file, not list"):
            receiptmill.Verifier(trust=[])
        if importlib.util.find_spec("pyarrow"):
            for wrong, told in [([1, 2], "holds texts or bytes, not int64"), (5, "int shows no rows to Arrow"),
                                (["a", 1], "a list of documents holds texts, or bytes")]:
                with self.subTest(wrong), self.assertRaisesRegex(TypeError, told):
                    self.verifier.verify_table(wrong)

    def test_need_anchors_as_a_text_or_a_path(self):
        document = next(documents())
        for anchors in (SAMPLES / "root.pem", str(SAMPLES / "root.pem"), (SAMPLES / "root.pem").read_text()):
            self.assertEqual(receiptmill.Verifier(trust=anchors).verify(document).sha256, self.verifier.verify(document).sha256)
            self.assertEqual(receiptmill.Verifier(trust=anchors).verify(document).verdict, "trusted")

    def test_refuse_a_file_of_anchors_that_is_not_there(self):
        with self.assertRaises(FileNotFoundError):
            receiptmill.Verifier(trust="none.pem")

    def test_are_neither_true_nor_false(self):
        forged = "eyJhbGciOiJFUzI1NiJ9.e30.AA"
        outcome = self.verifier.judge(forged, bundle="com.example.lumen", environment="production")
        self.assertEqual((outcome.accepted, outcome.purchases), (False, []))
        self.assertTrue(outcome.reasons)
        for asked in (self.verifier.verify(forged), outcome):
            with self.assertRaises(TypeError):
                bool(asked)

    def test_unlock_what_is_of_the_app_and_the_environment(self):
        accepted = 0
        for document in documents():
            found = self.verifier.judge(document, bundle="com.example.lumen", environment="production")
            verdict, accepted = found.verdict, accepted + found.accepted
            self.assertNotEqual(found.accepted, bool(found.reasons))
            if found.accepted:
                stated = (verdict.trusted, verdict.bundle_id, verdict.environment)
                self.assertEqual(stated, (True, "com.example.lumen", "Production"))
        self.assertGreater(accepted, 20)

    def test_trust_apple_where_nothing_is_said(self):
        verdict = receiptmill.verify(next(documents()))
        self.assertEqual((verdict.verdict, verdict.trusted), ("untrusted_root", False))
        self.assertIsInstance(verdict, receiptmill.Verdict)
        self.assertEqual(receiptmill.verify(b"none").verdict, "unreadable")


if __name__ == "__main__":
    unittest.main()
