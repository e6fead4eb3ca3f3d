"""CSV fields of the source tree's package, with results computed by hand; the program's tests read the same file."""

import csv
import io
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from receiptmill.lake import fields, reports  # noqa: E402

TEXTS = json.loads(Path(__file__).with_name("spreadsheet-texts.json").read_text())


class Fields(unittest.TestCase):
    def test_run_in_no_spreadsheet_and_hide_nothing(self):
        for one in TEXTS:
            self.assertEqual(fields.line([one["text"], 1]), one["csv"] + ",1\r\n", ascii(one["text"]))

    def test_are_as_they_are_where_files_are_exact(self):
        for one in TEXTS:
            row, = csv.reader(io.StringIO(fields.line([one["text"]], exact=True), newline=""))
            self.assertEqual(row, [one["text"]])

    def test_tell_null_from_nothing_and_leave_numbers(self):
        stream = io.StringIO()
        reports.write_csv(["name", "sum"], [(None, reports.money_text(-1990, "EUR")), ("", -2)], stream)
        self.assertEqual(stream.getvalue(), 'name,sum\r\n,-1.99\r\n"",-2\r\n')


if __name__ == "__main__":
    unittest.main()
