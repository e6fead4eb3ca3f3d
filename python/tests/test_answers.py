"""Answers as an analyst with Python takes them: typed rows, data frames, notebooks, warnings.

Run by `make test-wheel`; needs the program, and tests pandas, pyarrow and polars where they are.
"""

import csv
import importlib.util
import io
import sys
import tempfile
import unittest
import warnings
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

import receiptmill
from receiptmill import Answer, Column

SAMPLE = Path(__file__).resolve().parents[2] / "data-samples/company"


def needs(*modules):
    missing = [name for name in modules if not importlib.util.find_spec(name)]
    if missing:
        print(f"!! no {', '.join(missing)} here: data frames are NOT TESTED !!", file=sys.stderr)
    return unittest.skipIf(missing, f"needs {', '.join(missing)}")


def setUpModule():
    global DATABASE
    folder = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    DATABASE = folder / "mill.sqlite"
    [archive] = SAMPLE.glob("*.jsonl.gz")
    receiptmill.run("ingest", archive, "--trust", SAMPLE / "root.pem", "--database", DATABASE, "--quiet")


def of_csv(name, *words):
    """A report's rows as texts."""
    text = receiptmill.run("report", name, "--database", DATABASE, "--format", "csv", "--columns", "all", *words)
    return list(csv.DictReader(io.StringIO(text)))


class Rows(unittest.TestCase):
    def test_amounts_have_the_digits_that_csv_has(self):
        found = [str(row["net"]) for row in receiptmill.report(DATABASE, "revenue").dicts() if row["net"] is not None]
        self.assertEqual(found, [row["net"] for row in of_csv("revenue") if row["net"]])
        self.assertTrue(found)

    def test_a_month_is_its_first_day(self):
        found = [row["month"] for row in receiptmill.report(DATABASE, "revenue").dicts()]
        self.assertEqual([f"{one:%Y-%m}" for one in found], [row["month"] for row in of_csv("revenue")])
        self.assertEqual({one.day for one in found}, {1})

    def test_a_week_is_its_monday(self):
        found = receiptmill.report(DATABASE, "revenue", grain="week")
        self.assertEqual({row["month"].weekday() for row in found.dicts()}, {0})

    def test_moments_are_in_utc(self):
        found = next(receiptmill.report(DATABASE, "fraud-queue").dicts())["last_seen"]
        self.assertEqual(f"{found:%Y-%m-%dT%H:%M:%SZ}", of_csv("fraud-queue")[0]["last_seen"])
        self.assertEqual(found.tzinfo, timezone.utc)

    def test_what_is_no_month_stays_as_it_is(self):
        answer = Answer.of([{"month": "(all)"}, {"month": "2026-06"}], [Column("month", "month", "")])
        self.assertEqual(answer.rows, [("(all)",), (date(2026, 6, 1),)])


class Parameters(unittest.TestCase):
    def test_are_keywords(self):
        ours = receiptmill.report(DATABASE, "revenue", {"from": "2026-01-01", "by": "storefront,offer"})
        theirs = receiptmill.report(DATABASE, "revenue", from_=date(2026, 1, 1), by=["storefront", "offer"])
        self.assertEqual(theirs.rows, ours.rows)
        self.assertTrue(ours.rows)

    def test_of_another_type_are_refused(self):
        with self.assertRaisesRegex(TypeError, "by is of the type dict: give a text"):
            receiptmill.report(DATABASE, "revenue", by={})
        with self.assertRaisesRegex(TypeError, "from_ is a moment: give a day, such as 2026-06-01"):
            receiptmill.report(DATABASE, "revenue", from_=datetime(2026, 6, 1))

    def test_that_the_report_lacks_are_the_programs_fault(self):
        with self.assertRaisesRegex(receiptmill.ProgramFailed, "has no parameter colour"):
            receiptmill.report(DATABASE, "revenue", colour="red")


class Warnings(unittest.TestCase):
    def test_of_the_program_are_warnings(self):
        with self.assertWarnsRegex(receiptmill.ReportWarning, "no rate card is known.*\nhint: give one"):
            receiptmill.report(DATABASE, "proceeds")

    def test_are_none_where_there_is_nothing_to_say(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            receiptmill.report(DATABASE, "refunds")


class Notebooks(unittest.TestCase):
    answer = Answer(
        ["product", "net"], [("<b>", Decimal("1.50"))] * 100, [Column("product", "text", ""), Column("net", "money", "")]
    )

    def test_show_texts_as_they_are(self):
        self.assertIn("<td>&lt;b&gt;</td>", self.answer._repr_html_())

    def test_show_numbers_to_the_right(self):
        self.assertIn('<td style="text-align: right">1.50</td>', self.answer._repr_html_())

    def test_say_how_many_rows_are_left_out(self):
        self.assertEqual(self.answer._repr_html_().count("&lt;b&gt;"), 60)
        self.assertIn("100 rows, 60 of them shown", self.answer._repr_html_())


class Frames(unittest.TestCase):
    schema = [Column("month", "month", ""), Column("net", "money", ""), Column("sales", "integer", ""), Column("at", "time", "")]
    rows = [
        (date(2026, 6, 1), Decimal("37.479"), 3, datetime(2026, 6, 2, tzinfo=timezone.utc)),
        (date(2026, 7, 1), Decimal("7.60"), None, None),
    ]
    answer = Answer([one.name for one in schema], rows, schema)
    empty = Answer([one.name for one in schema], [], schema)

    @needs("pyarrow")
    def test_of_arrow_have_the_rows(self):
        table = self.answer.arrow()
        self.assertEqual([tuple(row.values()) for row in table.to_pylist()], self.rows)
        self.assertEqual(
            [str(one) for one in table.schema.types],
            ["date32[day]", "decimal128(38, 3)", "int64", "timestamp[us, tz=UTC]"])  # fmt: skip

    @needs("pyarrow")
    def test_without_rows_have_the_columns(self):
        types = [str(one) for one in self.empty.arrow().schema.types]
        self.assertEqual(types, ["date32[day]", "decimal128(38, 2)", "int64", "timestamp[us, tz=UTC]"])

    @needs("pyarrow")
    def test_of_arrow_write_as_texts_what_is_mixed(self):
        mixed = Answer(["month"], [("(all)",), (date(2026, 6, 1),)], self.schema[:1])
        self.assertEqual(mixed.arrow().to_pylist(), [{"month": "(all)"}, {"month": "2026-06-01"}])

    @needs("pandas")
    def test_of_pandas_have_dates_and_whole_numbers(self):
        frame = self.answer.df()
        self.assertRegex(str(frame.dtypes["month"]), r"^datetime64\[\w+\]$")
        self.assertRegex(str(frame.dtypes["at"]), r"^datetime64\[\w+, UTC\]$")
        self.assertEqual(str(frame.dtypes["sales"]), "Int64")
        self.assertEqual(frame["net"].sum(), Decimal("45.079"))
        self.assertEqual(list(self.empty.df().dtypes), list(frame.dtypes))

    @needs("pandas")
    def test_of_pandas_have_days_of_any_year(self):
        frame = Answer(["day"], [(date(9999, 12, 31),)], [Column("day", "date", "")]).df()
        self.assertEqual(frame["day"][0].year, 9999)

    @needs("polars", "pyarrow")
    def test_of_polars_have_the_rows(self):
        self.assertEqual(self.answer.pl().rows(), self.rows)


if __name__ == "__main__":
    unittest.main()
