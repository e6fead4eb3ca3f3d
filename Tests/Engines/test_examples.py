#!/usr/bin/env python3
"""The hand-worked cases of commitments, seats, Advanced Commerce and moved subscriptions, through DuckDB: every report that
Tests/ReceiptReportsTests/HandWorked has an answer of answers the same there.

    python3 Tests/Engines/test_examples.py

Needs duckdb and pyarrow; `make test-lake` runs it. Spark runs the same text of models and reports.
"""

import csv
import io
import sys
import tempfile
import unittest
from pathlib import Path

import engines  # Puts pipelines/ on the path.

sys.dont_write_bytecode = True

import compact
from lake.reports import report, write_csv
from warehouse import Warehouse

CASES = Path(engines.ROOT, "Tests/ReceiptReportsTests/HandWorked")
# Worked examples A to I, and chains of original transactions.
EXAMPLES = [
    "commitment-first-month", "commitment-cancelled", "commitment-refunds", "commitment-unpaid", "seats", "seats-of-a-year",
    "items", "seats-assigned", "switched",
]


def asked(path):
    """Report and parameters that an answer's file name states."""
    name, *settings = path.stem.split(",")
    return report(name), dict(setting.split("=", 1) for setting in settings)


def plain(rows):
    """Engines differ in how they write a whole share."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text
    return [[number(field) for field in row] for row in rows]


class Examples(unittest.TestCase):
    def warehouse(self, case):
        made = Warehouse(":memory:")
        self.addCleanup(made.connection.close)
        made.make_stores()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "told.jsonl")
            path.write_text(compact.decoded((case / "told.jsonl").read_text()))
            made.add_decoded(path)
        made.make_tables(None, [])
        made.make_views(None)
        return made

    def test_reports_answer_what_was_worked_out_by_hand(self):
        for name in EXAMPLES:
            case = CASES / name
            made = self.warehouse(case)
            answers = sorted(case.glob("*.csv"))
            self.assertTrue(answers, name)
            for answer in answers:
                with self.subTest(f"{name}/{answer.name}"):
                    columns, rows = made.rows(*asked(answer))
                    text = io.StringIO()
                    write_csv(columns, rows, text)
                    found = list(csv.reader(io.StringIO(text.getvalue())))
                    expected = list(csv.reader(io.StringIO(answer.read_text())))
                    self.assertEqual(plain(found), plain(expected))


if __name__ == "__main__":
    unittest.main()
