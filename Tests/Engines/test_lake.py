#!/usr/bin/env python3
"""What the lake is made of, piece by piece: hand-worked lines, and what a Spark task does with a decode that fails.

    python3 Tests/Engines/test_lake.py

Needs duckdb and pyarrow; `make test-engines` runs it.
"""

import argparse
import hashlib
import io
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import engines  # Puts python/ on the path.

sys.dont_write_bytecode = True

import pyarrow
from receiptmill.lake import decoded, dialect, filters
from receiptmill.spark import archives, decoding
from receiptmill.lake.merging import merged_selects
from receiptmill.lake.reports import NoReport, Report, money_text, report, reports, write_csv
from receiptmill.spark.storage import KEPT, KNOWN, Storage, views_of
from receiptmill.duckdb.resources import OutOfSpace, Resources, size
from receiptmill.lake.memory import memory_of_machine
from receiptmill.duckdb.tasks import build
from receiptmill.duckdb.warehouse import BadBuild, BadInput, Warehouse

ROOT = engines.ROOT


class DecodedLine(unittest.TestCase):
    """The columns of a line that `decode` writes, which follow from its schema."""

    def test_has_the_types_of_its_values(self):
        for path, kind in [
            ("line", "BIGINT"), ("last", "BOOLEAN"), ("archive.name", "STRING"), ("receipt.issuers", ["STRING"]),
            ("receipt.kind", "STRING"), ("receipt.bytes", "BIGINT"), ("terms.is_upgraded", "BIGINT"),
            ("terms.revoked_share", "DOUBLE"), ("terms.commerce.items.refunds.refund_date_ms", "BIGINT"),
            ("documents.parts.renewal.renewal_date_ms", "BIGINT"), ("documents.document", "BIGINT"),
        ]:  # fmt: skip
            found = decoded.LINE
            for name in path.split("."):
                found = (found[0] if isinstance(found, list) else found)[name]
            self.assertEqual(found, kind, path)

    def test_leaves_out_what_no_table_has(self):
        self.assertEqual(set(decoded.LINE["rejection"]), {"reason", "detail"})
        self.assertEqual(
            set(decoded.LINE["submission"]), {"device_id", "account_id", "device_check", "submitted_at_ms"}
        )


class Dialect(unittest.TestCase):
    def test_spells_what_sqlite_spells_its_own_way(self):
        for text, duckdb, spark in [
            ("strftime('%Y-%m-%dT%H:%M:%SZ', a.b / 1000, 'unixepoch')", "time_text(a.b)", "time_text(a.b)"),
            ("(a - b) / 86400", "(a - b) // 86400", "(a - b) div 86400"),
            (
                "CAST(coalesce(a.b, c) AS TEXT)",
                "transaction_text(coalesce(a.b, c))",
                "transaction_text(coalesce(a.b, c))",
            ),
            ("a CROSS JOIN b WHERE c", "a CROSS JOIN b WHERE c", "a CROSS JOIN b WHERE c"),
            ("max(a, min(b, f(c, d)))", "greater_of(a, lesser_of(b, f(c, d)))", "greater_of(a, lesser_of(b, f(c, d)))"),
            ("max(f(a, b))", "max(f(a, b))", "max(f(a, b))"),
            ("max(a || ',(')", "max(a || ',(')", "max(a || ',(')"),
        ]:
            with self.subTest(text):
                self.assertEqual(dialect.translated(text, dialect.DUCKDB), duckdb)
                self.assertEqual(dialect.translated(text, dialect.SPARK), spark)

    def test_leaves_nothing_that_only_sqlite_knows(self):
        for engine in (dialect.DUCKDB, dialect.SPARK):
            for name, text in dialect.views(engine).items():
                if name not in dialect.models():
                    self.assertNotRegex(text, r"strftime|unixepoch|AS TEXT|LIMIT -1| / \d")

    def test_runs_models_as_they_stand(self):
        for engine in (dialect.DUCKDB, dialect.SPARK):
            texts = dialect.views(engine)
            for path in [path for folder in ("core", "marts") for path in (dialect.SQL / folder).glob("*.sql")]:
                with self.subTest(path.stem):
                    select = texts[path.stem].partition("\n")[2]
                    text = path.read_text()
                    own = dialect.without_comments(text)
                    if "-- Numbered: " not in text:
                        self.assertEqual(select, own)
                    self.assertIn(own, select)
                    self.assertRegex(select, "^(WITH|SELECT)\\b")

    def test_numbers_keys_in_their_order(self):
        text = "-- Key: name, app_id\n-- Numbered: user_id\nSELECT name, app_id FROM presented"
        self.assertEqual(
            dialect.numbered(text),
            "SELECT told.*, row_number() OVER (ORDER BY name, app_id) AS user_id\n"
            "FROM (\nSELECT name, app_id FROM presented\n) AS told",
        )

    def test_refuses_to_divide_a_double_by_a_whole_number(self):
        with self.assertRaises(dialect.Untranslated):
            dialect.translated("CREATE VIEW a AS SELECT CAST(b AS DOUBLE) / 10 FROM c", dialect.SPARK)

    def test_models_say_nothing_that_one_engine_alone_knows(self):
        only = r"(?i)strftime|unixepoch|\bAS TEXT\b|\bprintf\(|CROSS JOIN \w+ (AS \w+ )?ON|\bLIMIT\b|<<|\bRECURSIVE\b"
        for name, text in dialect.models().items():
            with self.subTest(name):
                self.assertNotRegex(text, only)
                # SQLite alone calls the greater of two values max.
                self.assertEqual(dialect.with_named_extremes(text), text)
                # Engines divide whole numbers each in its own way: what is divided has no rest, or is none.
                lines = text.splitlines()
                for place, line in enumerate(lines):
                    if " / " in line:
                        self.assertRegex(" ".join(lines[max(0, place - 1) : place + 1]), r"AS DOUBLE\)|% \d+\)\s+/ |/ \d+\.0")

    def test_refuses_what_no_rewriting_knows(self):
        for text in [
            "strftime('%H', a)", "datetime(a, 'unixepoch')", "strftime('%Y-%m-%dT%H:%M', a)", "a / b", "a /\n1000",
            "CAST(f(g(h(a))) AS TEXT)", "a CROSS JOIN b c ON c.d = a.d", "a CROSS JOIN b ON c", "a LIMIT -2", "a << 3", "a AND +b.c < 2",
            "a & 0xff", "substr(a.device_hash, 1, 4)", "CREATE TEMP VIEW a",
        ]:
            with self.subTest(text), self.assertRaises(dialect.Untranslated):
                dialect.translated(text, dialect.DUCKDB)

    def test_refuses_a_rewriting_that_no_view_needs(self):
        rewritings = dialect.REWRITINGS
        self.addCleanup(setattr, dialect, "REWRITINGS", rewritings)
        dialect.REWRITINGS = [*rewritings, ("no such words", "", "no such words")]
        with self.assertRaisesRegex(dialect.Untranslated, "no such words"):
            dialect.views(dialect.DUCKDB)

    def test_has_other_texts_of_views_alone_that_there_are(self):
        others, views = ({path.stem for path in (dialect.SQL / name).glob("*.sql")} for name in ("engines/views", "views"))
        self.assertLessEqual(others, views)

    def test_gives_reports_the_keys_of_transactions(self):
        written = "CASE WHEN CAST(CAST(:case AS BIGINT) AS VARCHAR(20)) = :case THEN CAST(:case AS BIGINT) + 0 ELSE :case END"
        self.assertEqual(dialect.with_keys(f"SELECT {written} AS a"), "SELECT transaction_key(:case) AS a")
        for found in reports().values():
            with self.subTest(found.name):
                self.assertNotIn("AS BIGINT) + 0", dialect.with_keys(found.statement))
                self.assertNotRegex(found.statement, r"\bAS TEXT\b|substr\(\w+\.device_hash")

    def test_searches_nothing_row_by_row(self):
        for text in dialect.views(dialect.SPARK).values():
            self.assertNotRegex(text, r"LIMIT 1\b")


class Reports(unittest.TestCase):
    def test_read_what_their_filters_filter(self):
        self.assertLessEqual({"apps", "months", "rates", "internal_refunds"}, dialect.read_behind_filters(report("refunds").statement))

    def test_refuses_a_parameter_that_the_report_lacks(self):
        with self.assertRaisesRegex(NoReport, "has no parameter form; it has environment, bundle, from, until"):
            report("refunds").values({"form": "2025-01-01"})

    def test_refuses_a_value_that_is_none_of_a_parameters(self):
        with self.assertRaisesRegex(NoReport, "era=Free: the value is not one of paid, free, unknown, disagreeing, all"):
            report("freemium-owners").values({"era": "Free"})
        for verdict in ("trusted", "unsupported_algorithm", "all"):
            self.assertEqual(report("receipts-by-month").values({"verdict": verdict})["verdict"], verdict)

    def test_asks_for_what_is_required(self):
        with self.assertRaisesRegex(NoReport, "needs --param case="):
            report("fraud-case").values({})

    def test_puts_an_apostrophe_before_what_a_spreadsheet_would_run(self):
        rows = [("=1+1", -1), ("+1", None), ("-1", 0.5), ("@a", 1), ("\t=1", 2), ("a=1", 3)]
        text = io.StringIO()
        write_csv(["device", "change"], rows, text)
        self.assertEqual(
            text.getvalue(), "device,change\r\n'=1+1,-1\r\n'+1,\r\n'-1,0.5\r\n'@a,1\r\n'\t=1,2\r\na=1,3\r\n"
        )
        text = io.StringIO()
        write_csv(["net"], [(money_text(-500, "EUR"),)], text)
        self.assertEqual(text.getvalue(), "net\r\n-0.50\r\n")
        text = io.StringIO()
        write_csv(["device"], [("=1+1",)], text, exact=True)
        self.assertEqual(text.getvalue(), "device\r\n=1+1\r\n")


class Filters(unittest.TestCase):
    """What ReceiptReportsTests/StandardFilterTests.swift holds `receiptmill report` against."""

    APPS = [  # Number, environment, app, month of the newest document.
        (1, "Production", "com.example.cards", 24290), (2, "Sandbox", "com.example.cards", 24300),
        (3, "(none)", "com.example.chess", 24276), (4, "Production", "com.example.chess", 24269),
    ]

    def warehouse(self):
        made = Warehouse(":memory:")
        self.addCleanup(made.__exit__)
        made.execute("CREATE TABLE apps (app_id BIGINT, environment VARCHAR, bundle_id VARCHAR, last_month BIGINT)")
        made.connection.executemany("INSERT INTO apps VALUES (?, ?, ?, ?)", self.APPS)
        made.execute("CREATE TABLE months (month_number BIGINT, month VARCHAR)")
        months = [(12 * year + month - 1, f"{year}-{month:02}") for year in range(2008, 2041) for month in range(1, 13)]
        made.connection.executemany("INSERT INTO months VALUES (?, ?)", months)
        made.run_file("views/internal_currency_digits.sql")
        return made

    def report(self, statement, header=""):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "mine.sql")
        path.write_text(f"-- mine: Mine\n{header}{statement}\n")
        return Report(path)

    def test_narrow_apps_and_months(self):
        warehouse = self.warehouse()
        apps = self.report("SELECT string_agg(app_id, ' ' ORDER BY app_id) AS n FROM apps")
        months = self.report(
            "WITH seen AS (SELECT * FROM months) SELECT min(month) || ' ' || max(month) AS n FROM seen, apps"
        )
        for found, given, answer in [
            (apps, {}, "1 4"), (apps, {"environment": "Sandbox,(none)"}, "2 3"), (apps, {"environment": "all"}, "1 2 3 4"),
            (apps, {"bundle": "com.example.chess"}, "4"), (months, {}, "2023-03 2024-03"),
            (months, {"bundle": "com.example.chess"}, "2021-06 2022-06"), (months, {"from": "2024-02"}, "2024-02 2024-03"),
            (months, {"until": "2023-02"}, "2022-02 2023-02"), (months, {"from": "all"}, "2008-01 2024-03"),
            (months, {"from": "all", "until": "all"}, "2008-01 2040-12"),
        ]:
            with self.subTest(given):
                self.assertEqual(warehouse.rows(found, given), (["n"], [(answer,)]))

    def test_leave_alone_what_a_report_declares_or_defines(self):
        declared = self.report(
            "SELECT count(*) AS n FROM apps WHERE environment = $environment".replace("$", ":"),
            "-- Parameters:\n--   :environment  environments  Sandbox  environments\n",
        )
        self.assertEqual(list(declared.parameters), ["bundle", "environment"])
        self.assertEqual(self.warehouse().rows(declared, {"environment": "Sandbox"})[1], [(1,)])
        self.assertEqual(self.report("WITH apps AS (SELECT 1 AS n) SELECT n FROM apps").parameters, {})
        self.assertEqual(filters.read("SELECT months FROM main.apps"), [])

    def test_money_is_written_by_the_digits_of_its_currency(self):
        for milliunits, currency, text in [
            (9990, "USD", "9.99"), (9995, "USD", "9.995"), (-500, "EUR", "-0.50"), (1200000, "JPY", "1200"),
            (1200500, "JPY", "1200.5"), (1500, "KWD", "1.500"), (1500, "CLF", "1.5000"), (5, None, "0.005"), (None, "EUR", None),
        ]:
            self.assertEqual(money_text(milliunits, currency), text)
        found = self.report(
            "SELECT 'JPY' AS currency, 1200000 AS net", "-- Columns:\n--   currency  text  c\n--   net  money(currency)  n\n"
        )
        self.assertEqual(self.warehouse().rows(found, {})[1], [("JPY", "1200")])


def line(number, sha256, purchases, archive="a" * 64, **receipt):
    """A line of decode, of a trusted production receipt unless told otherwise."""
    receipt = {
        "kind": "app_receipt",
        "verdict": "trusted",
        "environment": "Production",
        "bundle_id": "org.example",
    } | receipt
    return {
        "schema": 2,
        "archive": {"name": "night.gz", "sha256": archive, "bytes": 1},
        "line": number,
        "submission": {"device_check": "match", "app_check": "not_configured", "account_id": "u1"},
        "receipt": {"sha256": sha256 * 32, "digest_algorithm": "sha256", "bytes": 9, "purchase_count": len(purchases)}
        | receipt,
        "purchases": purchases,
    }


def bought(identifier="7", **fields):
    return {"transaction_id": identifier, "product_id": "coins"} | fields


def sold(number, sha256, signed, verdict="trusted", **terms):
    """A line with a signed transaction."""
    receipt = {"kind": "signed_transaction", "receipt_creation_date_ms": signed, "verdict": verdict}
    return line(number, sha256, [bought()], **receipt) | {"terms": terms}


def of_commerce(number, sha256, signed, *items, **sale):
    """A line with a signed transaction that states a sale by the Advanced Commerce API."""
    return sold(number, sha256, signed, price_milliunits=1, commerce=sale | ({"items": list(items)} if items else {}))


def refund(milliunits, date, **fields):
    return {"refund_milliunits": milliunits, "refund_date_ms": date} | fields


class Sizes(unittest.TestCase):
    """A build of more purchases than a row group holds, as its readers open it."""

    PURCHASES = 130_000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name, "warehouse.duckdb")
        night = Path(folder.name, "night.jsonl")
        with open(night, "w") as file:
            for number in range(1, 131):
                bought_here = [bought(str(number * 1000 + place)) for place in range(1000)]
                one = line(number, f"{number:02x}", bought_here, receipt_creation_date_ms=number)
                file.write(json.dumps(one | {"last": number == 130}, separators=(",", ":")) + "\n")
        subprocess.run(
            [sys.executable, ROOT / "pipelines/duckdb/warehouse.py", "build", cls.path, night],
            check=True,
            stderr=subprocess.DEVNULL,
        )

    def test_every_purchase_is_in_the_file(self):
        with Warehouse(self.path, read_only=True) as warehouse:
            self.assertEqual(warehouse.execute("SELECT count(*) FROM purchases").fetchone()[0], self.PURCHASES)

    def test_a_file_that_lacks_rows_is_refused(self):
        expected = {"a" * 64: [130, 0, self.PURCHASES]}
        with Warehouse(self.path) as warehouse:
            warehouse.hold(expected)
            warehouse.execute("BEGIN")
            warehouse.execute("DELETE FROM purchase WHERE purchase_id = (SELECT min(purchase_id) FROM purchase)")
            with self.assertRaisesRegex(BadBuild, "129999 of 130000 rows of the table purchase"):
                warehouse.hold(expected)
            warehouse.execute("DELETE FROM stored_submissions WHERE line = 7")
            with self.assertRaisesRegex(BadBuild, "129 of 130 submissions of archive aaaa"):
                warehouse.hold(expected)
            warehouse.execute("ROLLBACK")


class Limits(unittest.TestCase):
    """Memory and disk space of a build."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "warehouse.duckdb"

    def night(self, number, purchases):
        path = self.folder / f"{number}.jsonl"
        path.write_text(json.dumps(line(1, f"{number:02x}", [bought(str(number * 10000 + place)) for place in range(purchases)],
                                        receipt_creation_date_ms=number) | {"last": True}) + "\n")
        return path

    def test_a_build_without_memory_says_what_to_set_and_leaves_what_was_there(self):
        resources = Resources(24 << 20, self.folder / "spill", 1 << 20)
        told = r"24.0 MiB of memory \(--memory\), and 1.0 MiB of .*spill \(--spill, --spill-limit\).* Set a greater"
        with self.assertRaisesRegex(OutOfSpace, told):
            build(self.path, [self.night(1, 5000)], resources=resources)
        self.assertFalse(self.path.exists())
        build(self.path, [self.night(2, 3)])
        with self.assertRaises(OutOfSpace):
            build(self.path, [self.night(1, 5000)], resources=resources)
        with Warehouse(self.path, read_only=True) as warehouse:
            self.assertEqual(warehouse.execute("SELECT count(*) FROM purchases").fetchone()[0], 3)
        self.assertFalse(resources.spill.exists())

    def test_what_a_killed_build_spilled_is_removed(self):
        for folder in (Path(f"{self.path}.spill"), self.folder / "shared"):
            folder.mkdir()
            (folder / "duckdb_temp_7_0_storage_DEFAULT-0.tmp").write_text("rows")
        build(self.path, [self.night(1, 3)])
        build(self.path, [self.night(2, 3)], resources=Resources.chosen(self.path, spill=self.folder / "shared"))
        self.assertEqual(sorted(path.name for path in self.folder.glob("*/*")), ["duckdb_temp_7_0_storage_DEFAULT-0.tmp"])
        self.assertFalse(Path(f"{self.path}.spill").exists())

    def test_defaults_are_half_of_what_there_is(self):
        chosen = Resources.chosen(self.path)
        self.assertEqual(chosen.memory, memory_of_machine() // 2)
        self.assertEqual(chosen.spill, Path(f"{self.path}.spill"))
        self.assertEqual(Resources.chosen(self.path, 1, "there", 2), Resources(1, Path("there"), 2))

    def test_sizes_have_units(self):
        for text, number in [("8GiB", 8 << 30), ("500M", 500 << 20), ("1.5 gb", 3 << 29), ("1000000", 1000000)]:
            self.assertEqual(size(text), number)
        for text in ("", "much", "-1G", "1X", "0"):
            with self.assertRaises(argparse.ArgumentTypeError):
                size(text)


class HandWorked(unittest.TestCase):
    """Lines written by hand, through DuckDB, whose answers follow from docs/data-model.md."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.warehouse = Warehouse(":memory:")
        self.addCleanup(self.warehouse.connection.close)
        self.warehouse.make_stores()

    def add(self, *lines, last=True, name="night.jsonl"):
        """Builds from one file; how many archives of it were taken."""
        lines = [dict(one) for one in lines]
        if last:
            lines[-1]["last"] = True
        path = self.folder / name
        path.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines))
        taken = self.warehouse.add_decoded(path)
        self.warehouse.make_tables(None, [])
        self.warehouse.make_views(None)
        return taken

    def ask(self, query):
        return self.warehouse.execute(query).fetchall()

    def test_the_receipt_created_last_wins(self):
        self.add(
            line(1, "bb", [bought(quantity=1)], receipt_creation_date_ms=2000),
            line(2, "aa", [bought(quantity=2)], receipt_creation_date_ms=3000),
            line(3, "cc", [bought(quantity=3)], receipt_creation_date_ms=1000),
        )
        self.assertEqual(self.ask("SELECT quantity, receipt_sha256 FROM purchases"), [(2, "aa" * 32)])

    def test_of_receipts_created_at_once_the_greater_digest_wins(self):
        self.add(
            line(1, "bb", [bought(quantity=1)], receipt_creation_date_ms=2000),
            line(2, "aa", [bought(quantity=2)], receipt_creation_date_ms=2000),
        )
        self.assertEqual(self.ask("SELECT quantity FROM purchases"), [(1,)])

    def test_undocumented_attributes_are_those_of_trusted_receipts_each_counted_once(self):
        lists = {"undocumented_attributes": [6, 40], "undocumented_purchase_attributes": [1709]}
        self.add(
            line(1, "aa", [bought()], receipt_creation_date_ms=2000, **lists),
            line(2, "bb", [bought()], **(lists | {"undocumented_attributes": [6]})),
            line(3, "cc", [bought()], verdict="bad_signature", verdict_detail="x", undocumented_attributes=[7]),
            line(4, "dd", [bought()]),
            line(5, "aa", [bought()], receipt_creation_date_ms=2000, **lists),
        )
        seen = "1970-01-01T00:00:02Z"
        self.assertEqual(
            self.ask(
                "SELECT level, attribute_type, receipts, first_creation_date, last_creation_date"
                " FROM undocumented_attributes ORDER BY 1, 2"
            ),
            [("app", 6, 2, seen, seen), ("app", 40, 1, seen, seen), ("purchase", 1709, 2, seen, seen)],
        )

    def test_the_rule_holds_across_archives(self):
        self.add(line(1, "bb", [bought(quantity=1)], receipt_creation_date_ms=2000), name="one.jsonl")
        self.add(line(1, "cc", [bought(quantity=2)], archive="b" * 64, receipt_creation_date_ms=1999), name="two.jsonl")
        self.assertEqual(self.ask("SELECT quantity FROM purchases"), [(1,)])

    def test_a_transaction_receipt_counts_as_of_its_purchase(self):
        self.add(
            line(1, "aa", [bought(quantity=1, purchase_date_ms=5000)], kind="transaction_receipt"),
            line(2, "bb", [bought(quantity=2)], receipt_creation_date_ms=4000),
        )
        self.assertEqual(self.ask("SELECT quantity FROM purchases"), [(1,)])

    def test_untrusted_claims_stay_apart(self):
        self.add(
            line(1, "aa", [bought(quantity=1)], receipt_creation_date_ms=1000),
            line(2, "bb", [bought(quantity=9)], receipt_creation_date_ms=9000, verdict="bad_signature"),
        )
        self.assertEqual(self.ask("SELECT quantity FROM purchases"), [(1,)])
        self.assertEqual(self.ask("SELECT quantity, verdict FROM claimed_purchases"), [(9, "bad_signature")])

    def test_the_first_of_two_equal_attributes_counts(self):
        self.add(line(1, "aa", [bought(quantity=1), bought(quantity=2)], receipt_creation_date_ms=1000))
        self.assertEqual(self.ask("SELECT quantity FROM purchases"), [(1,)])
        self.assertEqual(self.ask("SELECT count(*) FROM receipt_purchases"), [(1,)])

    def test_the_greater_of_nothing_is_nothing(self):
        answers = self.ask("SELECT greater_of(2, 1), greater_of(NULL, 1), lesser_of(2, 1), lesser_of(2, NULL)")
        self.assertEqual(answers, [(2, None, 1, None)])

    def test_identifiers_sort_as_in_sqlite(self):
        # Canonical decimal of 64 bits by number; then text.
        names = ["9", "10", "9223372036854775807", "007", "9223372036854775808", "x"]
        self.add(line(1, "aa", [bought(name) for name in reversed(names)]))
        ordered = self.ask("SELECT transaction_text(transaction_id) FROM purchase ORDER BY transaction_id")
        self.assertEqual([row[0] for row in ordered], names)

    def test_each_term_comes_from_the_newest_that_states_it(self):
        self.add(
            sold(1, "aa", 1000, price_milliunits=1990, currency="EUR", storefront="DEU", offer_type=1, is_upgraded=1),
            sold(2, "bb", 3000, storefront="FRA", offer_id="back"),
            sold(3, "cc", 2000, price_milliunits=2990, is_upgraded=1),
            sold(4, "dd", 9000, verdict="bad_signature", price_milliunits=1),
        )
        self.assertEqual(
            self.ask(
                "SELECT price_milliunits, currency, storefront, offer_type, offer_id, is_upgraded FROM purchase_terms"
                " WHERE verdict = 'trusted'"
            ),
            [(2990, None, "FRA", None, "back", None)],
        )
        self.assertEqual(
            self.ask("SELECT price_milliunits FROM purchase_terms WHERE verdict = 'bad_signature'"), [(1,)]
        )

    def test_of_terms_signed_at_once_those_of_the_greater_digest_win(self):
        self.add(sold(1, "bb", 1000, currency="EUR", price_milliunits=1), sold(2, "aa", 1000, price_milliunits=2))
        self.assertEqual(self.ask("SELECT price_milliunits, currency FROM purchase_terms"), [(1, "EUR")])

    def test_terms_of_2026_come_group_by_group(self):
        self.add(
            sold(1, "aa", 1000, amount_milliunits=73920, seat_price_tiers="[]", currency="USD", seats_revoked=1,
                 billing_plan="MONTHLY", commitment_period=1, storefront_id="143441",
                 previous_original_transaction_id="5", product_type_name="Rental"),
            sold(2, "bb", 3000, price_milliunits=9240, seat_invitations="APPLE", commitment_periods=12, storefront="USA"),
        )
        columns = (
            "price_milliunits amount_milliunits seat_price_tiers currency billing_plan commitment_period commitment_periods"
            " seat_invitations seats_revoked storefront storefront_id product_type_name"
        )
        self.assertEqual(
            self.ask(f"SELECT {columns.replace(' ', ', ')}, previous_original_transaction_id FROM purchase_terms"),
            [(9240, None, None, None, None, None, 12, "APPLE", None, "USA", None, None, "015")],
        )
        self.assertEqual(self.ask("SELECT previous_original_transaction_id FROM purchases"), [("5",)])
        # Each sight of seats that were revoked is kept.
        self.assertEqual(self.ask("SELECT seats_revoked FROM seat_revocation"), [(1,)])

    def test_items_and_refunds_are_those_of_the_newest_document(self):
        one = {"sku": "one", "price_milliunits": 10000}
        two = {"sku": "two", "price_milliunits": 5000}
        refunds = [refund(500, 2000, refund_type="PRORATED"), refund(200, 3000, refund_type="CUSTOM")]
        self.add(
            of_commerce(1, "aa", 3500, one, two | {"refunds": refunds, "revoked_date_ms": 3000}, tax_rate="0.20"),
            of_commerce(2, "bb", 1000, one, two),
        )
        self.assertEqual(
            self.ask(
                "SELECT sku, price_milliunits, refunds, refunded_milliunits, last_refund_date, refund_types, revoked_date,"
                " tax_rate FROM purchase_items ORDER BY sku"
            ),
            [
                ("one", 10000, 0, 0, None, None, None, "0.20"),
                ("two", 5000, 2, 700, "1970-01-01T00:00:03Z", "CUSTOM,PRORATED", "1970-01-01T00:00:03Z", "0.20"),
            ],
        )
        self.assertEqual(
            self.ask("SELECT item, refund, refund_milliunits FROM commerce_refund ORDER BY 1, 2"), [(2, 1, 500), (2, 2, 200)]
        )

    def test_a_sale_without_items_is_one(self):
        self.add(of_commerce(1, "aa", 1000, request_reference_id="r"))
        self.assertEqual(self.ask("SELECT request_reference_id FROM commerce"), [("r",)])
        self.assertEqual(self.ask("SELECT count(*) FROM commerce_item"), [(0,)])

    def test_unknown_members_are_those_of_trusted_documents(self):
        unknown = [{"path": "loyalty", "value_type": "object"}, {"path": "offerType", "value_type": "number 9"}]
        self.add(
            line(1, "aa", [], kind="signed_transaction", receipt_creation_date_ms=1000, unknown_members=unknown),
            line(2, "bb", [], kind="signed_transaction", receipt_creation_date_ms=3000, unknown_members=unknown[:1]),
            line(3, "cc", [], kind="signed_transaction", verdict="bad_signature", unknown_members=unknown),
        )
        self.assertEqual(
            self.ask("SELECT path, value_type, documents, first_seen_at, last_seen_at FROM unknown_members ORDER BY 1"),
            [
                ("loyalty", "object", 2, "1970-01-01T00:00:01Z", "1970-01-01T00:00:03Z"),
                ("offerType", "number 9", 1, "1970-01-01T00:00:01Z", "1970-01-01T00:00:01Z"),
            ],
        )

    def test_a_realtime_request_is_a_row(self):
        asked = {"original_transaction_id": "7", "product_id": "gold", "user_locale": "fr-CA", "request_identifier": "q"}
        request = line(1, "aa", [], kind="realtime_request", receipt_creation_date_ms=1000, app_item_id=777)
        self.add(request | {"realtime_request": asked})
        self.assertEqual(
            self.ask("SELECT original_transaction_id, product_id, user_locale, app_apple_id FROM realtime_requests"),
            [("7", "gold", "fr-CA", 777)],
        )

    def test_a_file_of_an_earlier_version_gets_the_columns_it_lacks(self):
        self.add(sold(1, "aa", 1000, currency="EUR"))
        for column in ("billing_plan", "storefront_id"):
            self.warehouse.execute(f"ALTER TABLE stored_terms DROP COLUMN {column}")
        self.warehouse.execute("DROP TABLE stored_commerce CASCADE")
        self.warehouse.make_stores()
        later = of_commerce(1, "bb", 2000, {"sku": "one"}) | {"archive": {"name": "b", "sha256": "b" * 64, "bytes": 1}}
        later["terms"] |= {"billing_plan": "MONTHLY", "revoked_share": 0.5}
        self.add(later, name="two.jsonl")
        self.assertEqual(self.ask("SELECT currency, billing_plan FROM purchase_terms"), [(None, "MONTHLY")])
        self.assertEqual(self.ask("SELECT sku FROM purchase_items"), [("one",)])

    def test_a_line_may_hold_several_documents_and_those_others(self):
        first = line(1, "aa", [], kind="notification", receipt_creation_date_ms=1000)
        first["notification"] = {"notification_type": "DID_RENEW"}
        held = sold(1, "bb", 900, price_milliunits=5)
        renewal = line(1, "cc", [], kind="signed_renewal", receipt_creation_date_ms=900)
        first["parts"] = [
            {"part": "transaction"} | {key: held[key] for key in ("receipt", "purchases", "terms")},
            {"part": "renewal", "receipt": renewal["receipt"], "purchases": [], "renewal": {
                "original_transaction_id": "7", "auto_renew_product_id": "gems", "auto_renew_status": 1}},
        ]
        unread = {"reason": "malformed_container", "detail": "x"}
        other = sold(1, "dd", 800)
        first["documents"] = [
            {"document": 1, "rejection": unread},
            {"document": 2} | {key: other[key] for key in ("submission", "receipt", "purchases", "terms")},
            {"document": 3, "rejection": unread},
        ]
        only = line(2, "ee", []) | {"rejection": unread, "documents": [first["documents"][1]]}
        for key in ("submission", "receipt", "purchases"):
            del only[key]
        self.add(first, only)
        self.assertEqual(
            self.ask("SELECT submission_id, receipt_sha256 FROM submissions ORDER BY line, submission_id"),
            [("a" * 16 + ":1", "aa" * 32), ("a" * 16 + ":1.2", "dd" * 32), ("a" * 16 + ":2.2", "dd" * 32)],
        )
        self.assertEqual(
            self.ask("SELECT line, document FROM rejections ORDER BY 1, 2"), [(1, 1), (1, 3), (2, 1)]
        )
        self.assertEqual(self.ask("SELECT lines, loaded_lines FROM archives"), [(2, 2)])
        self.assertEqual(
            self.ask("SELECT part, part_sha256 FROM receipt_parts ORDER BY 1"),
            [("renewal", "cc" * 32), ("transaction", "bb" * 32)],
        )
        self.assertEqual(
            self.ask("SELECT bundle_id, original_transaction_id, auto_renew_product_id FROM renewals"),
            [("org.example", "7", "gems")],
        )
        self.assertEqual(self.ask("SELECT notification_type, transaction_id FROM notifications"), [("DID_RENEW", "7")])

    def test_a_rejected_line_is_one(self):
        rejected = line(2, "aa", [])
        del rejected["submission"], rejected["receipt"], rejected["purchases"]
        rejected["rejection"] = {"reason": "invalid_json", "detail": "at 3"}
        self.add(line(1, "aa", []), rejected)
        self.assertEqual(
            self.ask("SELECT archive, line, reason, detail FROM rejections"), [("night.gz", 2, "invalid_json", "at 3")]
        )
        self.assertEqual(self.ask("SELECT lines, loaded_lines, complete FROM archives"), [(2, 1, 1)])

    def test_report_files_of_the_store_come_with_the_settings(self):
        told = self.folder / "told.sqlite"
        file = "INSERT INTO store_file (file_id, name, sha256, report, rows, rejected, loaded_at) VALUES"
        with sqlite3.connect(told) as lite:
            lite.executescript((ROOT / "sql/schema/v8.sql").read_text())
            lite.execute(f"{file} (1, 'S_D.txt', ?, 'sales', 2, 1, 0)", [b"\xab" * 32])
            lite.executemany(
                """
                INSERT INTO store_sale (
                    file_id, line, begins_day, ends_day, sku, country, currency, units_thousandths, price_milliunits,
                    gross_milliunits, proceeds_milliunits, proceeds_currency)
                VALUES (1, ?, 20543, 20544, 'gems', 'US', 'USD', ?, 9990, ?, ?, 'USD')
                """, [(2, 2000, 19980, 16980), (3, -1500, -14985, -12735)],
            )
            lite.execute("INSERT INTO store_rejection VALUES (1, 4, 'bad_row', 'no units')")
            lite.execute(f"{file} (2, 'Sub.txt', x'00', 'subscriber', 1, 0, 0)")
            lite.execute("INSERT INTO store_row VALUES (2, 2, '2026-03-31', 12, 'Gold', 'US', '8001', '{}')")
        lite.close()
        self.add(line(1, "aa", []))
        self.warehouse.make_views(told)
        self.assertEqual(
            self.ask("SELECT * EXCLUDE (price_milliunits, file_id) FROM store_sales ORDER BY line"),
            [
                ("sales", "S_D.txt", 2, "2026-03-31", "2026-04-01", "gems", "US", "USD", 2, 19980, 16980, "USD", *[None] * 11),
                ("sales", "S_D.txt", 3, "2026-03-31", "2026-04-01", "gems", "US", "USD", -1.5, -14985, -12735, "USD", *[None] * 11),
            ],
        )
        self.assertEqual(
            self.ask("SELECT report, file, line, day, app_apple_id, product, country, subscriber_id, fields FROM store_rows"),
            [("subscriber", "Sub.txt", 2, "2026-03-31", 12, "Gold", "US", "8001", "{}")],
        )
        self.assertEqual(
            self.ask("SELECT * FROM rejections"), [("S_D.txt", 4, "bad_row", "no units", 0, None, "ab" * 8)]
        )

    def test_an_archive_is_taken_once(self):
        self.assertEqual(self.add(line(1, "aa", [])), 1)
        self.assertEqual(self.add(line(1, "aa", []), name="again.jsonl"), 0)
        self.assertEqual(self.ask("SELECT count(*) FROM submissions"), [(1,)])

    def test_what_is_missing_of_an_archive_comes_later(self):
        self.add(line(1, "aa", []), last=False)
        self.assertEqual(self.ask("SELECT lines, complete FROM archives"), [(1, 0)])
        self.add(line(1, "aa", []), line(2, "bb", []))
        self.assertEqual(self.ask("SELECT lines, complete FROM archives"), [(2, 1)])
        self.assertEqual(self.ask("SELECT count(*) FROM submissions"), [(2,)])

    def test_lines_of_no_archive_are_lines_of_their_file(self):
        lines = [line(1, "aa", []), line(2, "bb", [])]
        for one in lines:
            del one["archive"], one["line"]
        self.add(*lines, last=False, name="stream.jsonl")
        self.assertEqual(self.ask("SELECT name, lines, complete FROM archives"), [("stream.jsonl", 2, 1)])
        self.assertEqual(
            self.ask("SELECT line, receipt_sha256 FROM submissions ORDER BY 1"), [(1, "aa" * 32), (2, "bb" * 32)]
        )

    def test_a_gap_is_refused(self):
        with self.assertRaisesRegex(BadInput, "of archive night.gz there are 2 lines, numbered 1 to 3"):
            self.add(line(1, "aa", []), line(3, "bb", []))

    def test_another_schema_is_refused(self):
        with self.assertRaisesRegex(BadInput, "schema is 3"):
            self.add(line(1, "aa", []) | {"schema": 3})

    def test_keys_of_a_later_version_are_passed_over(self):
        known = line(1, "aa", [bought(a_later_key=1)], another={"x": [1]}) | {"more": True}
        self.add(known)
        self.assertEqual(self.ask("SELECT count(*) FROM purchases"), [(1,)])

    def test_an_archive_that_has_grown_is_replaced(self):
        self.add(line(1, "aa", []), name="one.jsonl")
        self.add(line(1, "aa", [], archive="b" * 64), line(2, "bb", [], archive="b" * 64), name="two.jsonl")
        self.warehouse.execute(f"UPDATE stored_archives SET replaces = '{'a' * 64}' WHERE sha256 = '{'b' * 64}'")
        # As every build does when archives have come.
        self.warehouse.make_tables(None, [])
        self.assertEqual(self.ask("SELECT archive_id FROM archives"), [("b" * 16,)])
        self.assertEqual(self.ask("SELECT count(*) FROM submissions"), [(2,)])


class Nights(unittest.TestCase):
    """What nights leave one after the other is what one build of all leaves."""

    LINES = {
        "1": [
            line(1, "aa", [bought(quantity=1), bought("8")], receipt_creation_date_ms=5, undocumented_attributes=[6]),
            line(2, "bb", [bought("9")], verdict="bad_signature", receipt_creation_date_ms=4),
            sold(3, "e1", 1000, currency="EUR", price_milliunits=990),
            of_commerce(4, "f1", 700, {"sku": "one", "refunds": [refund(1, 2), refund(2, 3)]}, {"sku": "two"}),
        ],
        # The same receipt under another verdict; one that is newer than what night 1 has, and one that it has.
        "0": [
            line(1, "bb", [bought("9")], receipt_creation_date_ms=4),
            line(2, "cc", [bought(quantity=3)], receipt_creation_date_ms=9),
            line(3, "aa", [bought(quantity=1), bought("8")], receipt_creation_date_ms=5, undocumented_attributes=[6]),
            sold(4, "e2", 2000, storefront="DEU", billing_plan="MONTHLY", seats_revoked=2),
            of_commerce(5, "f1", 700, {"sku": "one", "refunds": [refund(1, 2), refund(2, 3)]}, {"sku": "two"}),
        ],
        "2": [line(1, "dd", [bought(quantity=4)], receipt_creation_date_ms=7), sold(2, "e3", 500, storefront="USA", commitment_period=3)],
    }

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def warehouse(self):
        warehouse = Warehouse(":memory:")
        self.addCleanup(warehouse.connection.close)
        warehouse.make_stores()
        return warehouse

    def add(self, warehouse, night, count=None):
        warehouse.add_decoded(self.write(night, count))

    def write(self, night, count=None, name=None):
        path = self.folder / f"{name or night}.jsonl"
        lines = [one | {"archive": one["archive"] | {"sha256": night * 64}} for one in self.LINES[night]]
        lines[-1]["last"] = True
        path.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines[:count]))
        return path

    def tables(self, warehouse):
        return {name: sorted(map(str, warehouse.execute(f"SELECT * FROM {name}").fetchall())) for name in merged_selects()}

    def all_at_once(self):
        warehouse = self.warehouse()
        for night in self.LINES:
            self.add(warehouse, night)
        self.assertTrue(warehouse.make_tables(None, []))
        return self.tables(warehouse)

    def test_leave_what_one_build_leaves_in_any_order(self):
        expected = self.all_at_once()
        for order in ("012", "210"):
            warehouse = self.warehouse()
            for place, night in enumerate(order):
                self.add(warehouse, night)
                self.assertEqual(warehouse.make_tables(None, []), place == 0)
            with self.subTest(order):
                self.assertEqual(self.tables(warehouse), expected)

    def test_complete_an_archive_of_which_lines_were_missing(self):
        warehouse = self.warehouse()
        self.add(warehouse, "1", count=1)
        warehouse.make_tables(None, [])
        for night in self.LINES:
            self.add(warehouse, night)
        self.assertFalse(warehouse.make_tables(None, []))
        self.assertEqual(self.tables(warehouse), self.all_at_once())

    def test_are_the_same_when_files_are_taken_together(self):
        expected = self.all_at_once()
        paths = [self.write(night) for night in self.LINES]
        cut = self.write("1", count=1, name="cut")
        for together in (paths, [cut, *paths], [*paths, cut]):
            warehouse = self.warehouse()
            with self.subTest([path.name for path in together]):
                # A file that holds fewer lines of an archive counts if it is read first.
                self.assertEqual(warehouse.add_decoded(*together), len(paths) + (together[0] == cut))
                warehouse.make_tables(None, [])
                self.assertEqual(self.tables(warehouse), expected)

    def test_name_the_file_that_is_cut(self):
        paths = [self.write(night) for night in self.LINES]
        lines = paths[1].read_text().splitlines(keepends=True)
        paths[1].write_text("".join(lines[1:]))
        with self.assertRaisesRegex(BadInput, f"{paths[1]}: of archive .* there are {len(lines) - 1} lines"):
            self.warehouse().add_decoded(*paths)

    def test_merge_all_anew_when_an_archive_has_gone(self):
        warehouse = self.warehouse()
        for night in ("1", "2"):
            self.add(warehouse, night)
        warehouse.make_tables(None, [])
        self.add(warehouse, "0")
        warehouse.execute(f"UPDATE stored_archives SET replaces = '{'2' * 64}' WHERE sha256 = '{'0' * 64}'")
        self.assertTrue(warehouse.make_tables(None, []))
        self.assertEqual(warehouse.execute("SELECT count(*) FROM submission").fetchone()[0], 9)


def decoded_receipt():
    return pyarrow.struct([("sha256", pyarrow.string()), ("issuers", pyarrow.list_(pyarrow.string()))])


ANSWER = '{"schema":2,"submission":{"device_check":"no_hash"},"receipt":{"sha256":"%s"},"purchases":[]}'


class LocalStorage(Storage):
    """A lake that needs no Java."""

    def __init__(self, lake):
        self.lake = str(lake)

    def exists(self, *parts):
        return Path(self.path(*parts)).exists()

    def folders(self, *parts):
        return [path.name for path in sorted(Path(self.path(*parts)).glob("*"), key=lambda path: path.stat().st_mtime_ns)]


class KeptViews(unittest.TestCase):
    """Which rows of views reports read."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.storage = LocalStorage(folder.name)
        self.settings = {table: [] for table in KNOWN}

    def night(self, generation, settings, names=(*KNOWN, *KEPT)):
        """Writes what a night does that dies behind some of the names."""
        kept = views_of(generation, settings)
        folder = Path(self.storage.path("views", kept))
        for name in names:
            (folder / name).mkdir(parents=True)
            (folder / name / "_SUCCESS").touch()
        return kept

    def test_are_those_of_the_last_night(self):
        first = self.night("a", self.settings)
        self.assertEqual(self.storage.kept_views("a"), first)
        last = self.night("a", self.settings | {"signal_setting": [("burst", 3)]})
        self.assertNotEqual(last, first)
        self.assertEqual(self.storage.kept_views("a"), last)

    def test_are_of_the_archives_that_count(self):
        self.night("a", self.settings)
        self.assertIsNone(self.storage.kept_views("b"))

    def test_are_whole(self):
        first = self.night("a", self.settings)
        self.night("a", self.settings | {"signal_setting": [("burst", 3)]}, (*KNOWN, *KEPT[:-1]))
        self.assertEqual(self.storage.kept_views("a"), first)


class Tasks(unittest.TestCase):
    """What a task does; shell scripts stand in for decode."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.source = archives.Source({})

    def archive(self, content):
        path = self.folder / "archive"
        path.write_bytes(content)
        return {"uri": path.as_uri(), "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    def decode(self, script, content=b"one\ntwo\n", **changed):
        archive = self.archive(content) | changed
        feed = archives.feed(self.source, archive)
        batches = list(decoding.decode(["sh", "-c", script], archive["sha256"], feed))
        rows = [row for batch in batches for row in batch.to_pylist()]
        return rows[:-1], rows[-1]["ending"]

    def answers(self, *digests):
        return "cat > /dev/null; printf '%s\\n' " + " ".join(f"'{ANSWER % digest}'" for digest in digests)

    def test_numbers_lines(self):
        rows, ending = self.decode(self.answers("a", "b", "a"))
        self.assertEqual([(row["line"], row["receipt"]["sha256"]) for row in rows], [(1, "a"), (2, "b"), (3, "a")])
        self.assertEqual(ending, {"lines": 3, "complete": True, "problem": None})

    def test_marks_what_is_repeated(self):
        rows, _ = self.decode(self.answers("a", "b", "a"))
        self.assertEqual([row["is_repeated"] for row in rows], [False, False, True])

    def test_lists_every_issuer_of_an_archive(self):
        told = {"issuers": ["X", "Y"]}, {"issuers": ["X"]}, {}
        receipts = pyarrow.array([None, *told], decoded_receipt())
        known = set()
        first = decoding.without_known_issuers(receipts, known).to_pylist()
        self.assertEqual([one and one["issuers"] for one in first], [None, ["X", "Y"], ["X"], None])
        again = decoding.without_known_issuers(receipts, known)
        self.assertEqual([one and one["issuers"] for one in again.to_pylist()], [None, None, None, None])
        self.assertEqual(again.null_count, 1)

    def test_sends_the_archive_as_it_is(self):
        content = bytes(range(256)) * 40000
        rows, _ = self.decode(f"""printf '{ANSWER}\\n' "$(sha256sum | cut -c 1-64)" """, content)
        self.assertEqual(rows[0]["receipt"]["sha256"], hashlib.sha256(content).hexdigest())

    def test_a_damaged_archive_keeps_its_lines(self):
        rows, ending = self.decode(self.answers("a") + "; echo 'cut short' >&2; exit 65")
        self.assertEqual((len(rows), ending), (1, {"lines": 1, "complete": False, "problem": "cut short"}))

    def test_a_killed_decode_fails_the_task(self):
        with self.assertRaisesRegex(decoding.DecodeFailed, "status -9"):
            self.decode(self.answers("a", "b") + "; kill -9 $$")

    def test_half_a_line_fails_the_task(self):
        with self.assertRaisesRegex(decoding.DecodeFailed, "ended within a line"):
            self.decode("cat > /dev/null; printf '{\"schema\":1'")

    def test_a_fault_of_decode_fails_the_task(self):
        with self.assertRaisesRegex(decoding.DecodeFailed, "status 74: no room"):
            self.decode("echo 'no room' >&2; exit 74")

    def test_an_overwritten_archive_fails_the_task(self):
        with self.assertRaisesRegex(archives.BadArchive, "was overwritten"):
            self.decode(self.answers("a"), sha256="0" * 64)

    def test_another_schema_fails_the_task(self):
        with self.assertRaisesRegex(decoding.DecodeFailed, "schema"):
            self.decode(self.answers("a").replace('"schema":2', '"schema":3'))

    def test_digests_what_an_archive_begins_with(self):
        known, content = b"first night\n", b"first night\nsecond night\n"
        archive = self.archive(content)
        beginnings = [(hashlib.sha256(part).hexdigest(), len(part)) for part in (b"another one", known)]
        sha256, replaces = archives.digest(self.source, archive["uri"], archive["bytes"], beginnings)
        self.assertEqual((sha256, replaces), (archive["sha256"], beginnings[1][0]))

    def test_reads_through_hadoop_what_is_not_local(self):
        client = self.folder / "client"
        client.write_text("#!/bin/sh\nprintf 'from afar'\n")
        client.chmod(0o755)
        self.source.client = lambda configuration, uri: [str(client), uri]
        with self.source.open("hdfs://name/path") as file:
            self.assertEqual(file.read(), b"from afar")

    def test_what_is_appended_meanwhile_is_not_read(self):
        self.source.client = lambda configuration, uri: ["sh", "-c", "yes 'more and more'"]
        with self.source.open("hdfs://name/path") as file:
            self.assertEqual(b"".join(archives.chunks(file, 4)), b"more")

    def test_a_client_that_fails_is_a_fault(self):
        self.source.client = lambda configuration, uri: ["sh", "-c", "echo 'no such host' >&2; exit 1"]
        with self.assertRaisesRegex(archives.BadArchive, "no such host"):
            with self.source.open("hdfs://name/path") as file:
                file.read()


if __name__ == "__main__":
    unittest.main()
