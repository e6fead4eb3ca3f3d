#!/usr/bin/env python3
"""Loads the same archives through SQLite, DuckDB and Spark, and compares every view and every report, row for row.

    Tests/Engines/compare.py RECEIPTMILL [--spark MASTER] [--kill decode|jvm]… [--corpus FOLDER] [--count LINES]

Always compares DuckDB, from what decode writes; with --spark also the lake that the
night's job writes, and DuckDB over that lake. `make test-engines` and `make
test-cluster` run it with a Python that has what it needs.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import intake
from engines import DuckDB, Spark, SQLite

sys.dont_write_bytecode = True

from lake.dialect import SQL
from lake.reports import reports

# What can't be equal, and why.
LOAD_TIMES = "each engine loads at its own time"
NUMBERS = "numbers that a database gives out for itself"
RUNS = "runs are of one database; a lake keeps none"
APART = {
    "archives": {"first_loaded_at": LOAD_TIMES, "completed_at": LOAD_TIMES},
    "presentations": {"receipt_number": NUMBERS, "submission_number": NUMBERS},
    "untrusted_presentations": {"submission_number": NUMBERS},
    "dated_signals": {"found_by": RUNS, "found_at": RUNS, "is_new": RUNS},
    "owner_refunds_by_number": {
        "app_number": NUMBERS,
        "purchase_number": NUMBERS,
        "original_number": NUMBERS,
        "product_number": NUMBERS,
        "receipt_number": NUMBERS,
    },
    "case_signals": {"submission_number": NUMBERS, "found_by": RUNS},
    "case_evidence": {"found_by": RUNS},
    "judged_cases": {"found_by": RUNS},
    "fraud_cases": {"found_at": RUNS},
    "device_submissions": {"submission_id": NUMBERS, "receipt_id": NUMBERS, "archive_id": NUMBERS},
    "purchase_states": {
        "app_number": NUMBERS,
        "product_number": NUMBERS,
        "receipt_number": NUMBERS,
        "purchase_number": NUMBERS,
        "terms_number": NUMBERS,
        "told_terms_number": NUMBERS,
        "transaction_number": NUMBERS,
        "original_number": NUMBERS,
    },
    "cancellation_statements": {"purchase_number": NUMBERS},
    "notification_events": {"app_number": NUMBERS},
    "purchase_spans": {"app_number": NUMBERS},
    "priced_purchases": {"app_number": NUMBERS, "purchase_number": NUMBERS},
    "purchase_customers": {"app_number": NUMBERS, "purchase_number": NUMBERS},
    "product_names": {"product_number": NUMBERS},
    "app_names": {"app_number": NUMBERS},
    "lengths_by_number": {"app_number": NUMBERS, "product_number": NUMBERS},
    "usual_lengths": dict.fromkeys(["app_number", "product_number"], NUMBERS),
    "family_shares": {"app_number": NUMBERS},
    "movements_by_number": {"app_number": NUMBERS},
    "monthly_movements": {"app_number": NUMBERS},
    "customer_value": {"app_number": NUMBERS},
    "monthly_customer_value": {"app_number": NUMBERS},
    "storefront_customers_by_day": {"app_number": NUMBERS},
    "period_renewals": {"app_number": NUMBERS, "original_number": NUMBERS},
    "app_horizons": {"app_number": NUMBERS},
    "subscription_horizons": {"app_number": NUMBERS, "original_number": NUMBERS},
    "latest_renewals": {"receipt_id": NUMBERS, "original_transaction_id": NUMBERS},
    "latest_revocations": {"terms_id": NUMBERS},
    "dated_purchases": {"app_number": NUMBERS, "app_version_number": NUMBERS},
    "subscription_terms": dict.fromkeys(["app_number", "product_number", "original_number", "purchase_number"], NUMBERS),
    "subscriptions": {"app_number": NUMBERS},
    "told_purchases": {"purchase_number": NUMBERS},
    "trials_by_number": dict.fromkeys(["app_number", "original_number", "first_product_number"], NUMBERS),
    "unshared_purchases": {
        "app_id": NUMBERS,
        "transaction_id": NUMBERS,
        "original_transaction_id": NUMBERS,
        "product_number": NUMBERS,
        "purchase_number": NUMBERS,
    },
    "known_terms": {"app_number": NUMBERS, "original_number": NUMBERS},
    "relayed_purchases": {"app_number": NUMBERS, "purchase_number": NUMBERS},
    "owner_contacts": {"app_number": NUMBERS},
    "owners_by_document": dict.fromkeys(
        ["app_number", "original_version_number", "receipt_number", "submission_number"], NUMBERS
    ),
    "owner_sightings": dict.fromkeys(["app_number", "version_number"], NUMBERS),
    "version_places": dict.fromkeys(["version_number", "version_place"], NUMBERS),
    "presenters_by_number": dict.fromkeys(["receipt_number", "app_number", "contact_number"], NUMBERS),
    "lasting_purchases": dict.fromkeys(["purchase_number", "app_number", "transaction_number", "original_number", "product_number"], NUMBERS),
    "held_periods_by_number": dict.fromkeys(["purchase_number", "app_number", "original_number", "contact_number"], NUMBERS),
    "unpaid_spans_by_number": dict.fromkeys(["purchase_number", "app_number"], NUMBERS),
    "daily_purchases": dict.fromkeys(["app_number", "product_number"], NUMBERS),
    "purchase_sources": {"app_number": NUMBERS},
    "purchase_sources_by_day": {"app_number": NUMBERS},
    "owner_sources_by_day": {"app_number": NUMBERS},
    "owner_sources_by_period": dict.fromkeys(["app_number", "version_number"], NUMBERS),
    "stale_by_number": {"submission_number": NUMBERS},
    "stale_contacts": dict.fromkeys(["app_number", "contact_number"], NUMBERS),
    "bounded_terms": dict.fromkeys(
        ["app_number", "original_number", "purchase_number", "product_number", "next_product_number"], NUMBERS
    ),
    "known_terms_by_number": dict.fromkeys(["app_number", "original_number", "product_number"], NUMBERS),
    "offers_by_day": dict.fromkeys(["app_number", "product_number"], NUMBERS),
    "spending_by_number": dict.fromkeys(["app_number", "version_place"], NUMBERS),
    "owners_by_number": dict.fromkeys(["app_number", "version_number"], NUMBERS),
    "horizons_by_number": dict.fromkeys(["app_number", "original_number", "contact_number"], NUMBERS),
    "newest_documents": {"app_number": NUMBERS},
    "customers_by_number": dict.fromkeys(["app_number", "original_number"], NUMBERS),
    "begins_by_number": dict.fromkeys(["app_number", "original_number"], NUMBERS),
    "cohorts_by_number": dict.fromkeys(["app_number", "original_number", "product_number"], NUMBERS),
    "lapses_by_number": dict.fromkeys(["app_number", "original_number", "product_number"], NUMBERS),
    "stands_by_number": dict.fromkeys(["app_number", "original_number", "product_number"], NUMBERS),
    "periods_by_number": dict.fromkeys(["app_number", "original_number", "transaction_number", "product_number"], NUMBERS),
    "counted_periods": dict.fromkeys(["app_number", "original_number", "transaction_number"], NUMBERS),
    "sold_periods": dict.fromkeys(["app_number", "original_number", "transaction_number", "product_number"], NUMBERS),
    "sales_by_number": dict.fromkeys(["app_number", "purchase_number", "transaction_number", "original_number", "product_number"], NUMBERS),
    "subscription_lapses": dict.fromkeys(["app_number", "product_number", "original_number"], NUMBERS),
    "subscription_stands": dict.fromkeys(["app_number", "product_number", "original_number"], NUMBERS),
    "unfollowed_terms": dict.fromkeys(["app_number", "original_number", "product_number"], NUMBERS),
    "purchase_marks": dict.fromkeys(["purchase_number", "copied_terms_number"], NUMBERS),
    "terms_by_number": dict.fromkeys(["app_number", "original_number", "purchase_number", "product_number", "next_product_number"], NUMBERS),
    "ends_by_number": dict.fromkeys(["app_number", "product_number"], NUMBERS),
    "purchases_by_number": dict.fromkeys(["app_number", "product_number"], NUMBERS),
    "version_purchases_by_number": dict.fromkeys(["app_number", "app_version_id"], NUMBERS),
    "entitlement_states": dict.fromkeys(["app_number", "original_number", "purchase_number", "contact_number"], NUMBERS),
    "owner_entitlements": {"app_number": NUMBERS},
    "entitlements_by_number": dict.fromkeys(["app_number", "purchase_number", "contact_number"], NUMBERS),
    "daily_sales_by_number": dict.fromkeys(["app_number", "product_number"], NUMBERS),
    "priced_periods": {"app_number": NUMBERS, "original_number": NUMBERS},
    "subscription_contacts": {"app_number": NUMBERS, "original_number": NUMBERS},
}
SIGNALS = ["fraud_signals", *(path.stem for path in SQL.glob("views/signal_*.sql") if path.stem != "signal_settings")]
APART |= {name: {"submission_number": NUMBERS} for name in SIGNALS}
# Sorted by what can't be equal, and compared without it.
APART_IN_REPORTS = {
    "archive-loads": APART["archives"],
    "fraud-queue": {"found_at": RUNS},
}
# Tells of the runs that filled one database, of which the others know nothing.
# The last two are views over models, which nothing works out there.
NOT_COMPARED = {"runs", "erasures", "retractions", "fraud-new", "apps", "months"}


def views():
    return sorted(path.stem for path in SQL.glob("views/*.sql") if path.stem not in NOT_COMPARED)


def plain(value):
    """Engines differ in types of numbers, and in the last digits of a quotient."""
    return round(float(value), 9) if value is not None and not isinstance(value, str) else value


def order(row):
    return [(value is not None, isinstance(value, str), value) for value in row]


def rows_of(rows, keep=None):
    return [tuple(plain(value) for place, value in enumerate(row) if not keep or place in keep) for row in rows]


def first_difference(ours, theirs):
    for mine, other in zip(ours, theirs):
        if mine != other:
            return f"{mine} in SQLite, {other} there"
    return f"{len(ours)} rows in SQLite, {len(theirs)} there"


def settings_of(found, subject):
    """Rounds of parameters: nothing set but what has to be; another environment; weeks."""
    required = {name: subject for name, is_required in found.parameters.items() if is_required}
    yield required
    if "environment" in found.parameters:
        yield required | {"environment": "all"}
    if "grain" in found.parameters:
        yield required | {"grain": "week"}


class Comparison:
    def __init__(self, lite):
        self.lite = lite
        self.subject = lite.view(
            "submissions WHERE account_id IS NOT NULL GROUP BY account_id ORDER BY count(*) DESC, account_id LIMIT 1",
            ["account_id"],
        )[0][0]
        self.expected = {}

    def compare(self, name, engine):
        """Prints what differs; the number of differences."""
        started, faults, seen = time.monotonic(), [], 0
        for view in views():
            columns = [column for column in self.lite.columns(view) if column not in APART.get(view, {})]
            ours = self.remember(view, lambda: sorted(rows_of(self.lite.view(view, columns)), key=order))
            faults += self.held(view, ours, lambda: sorted(rows_of(engine.view(view, columns)), key=order))
            seen += len(ours)
        for found in reports().values():
            if found.name in NOT_COMPARED:
                continue
            apart = APART_IN_REPORTS.get(found.name, {})
            for given in settings_of(found, self.subject):
                ours = self.remember((found.name, *given.items()), lambda: self.answer(self.lite, found, given, apart))
                faults += self.held(found.name, ours, lambda: self.answer(engine, found, given, apart))
                seen += len(ours)
        for fault in faults:
            print(f"{name}: {fault}", file=sys.stderr)
        compared = f"{len(views())} views, {len(reports())} reports, {seen} rows"
        print(f"{name}: {compared}, {len(faults)} differ, {time.monotonic() - started:.0f} s", flush=True)
        if not seen:
            raise SystemExit("nothing was compared")
        return len(faults)

    def remember(self, key, make):
        if key not in self.expected:
            self.expected[key] = make()
        return self.expected[key]

    def answer(self, engine, found, given, apart):
        columns, rows = engine.report(found, given)
        keep = {place for place, column in enumerate(columns) if column not in apart}
        answered = rows_of(rows, keep)
        return [tuple(columns), *(sorted(answered, key=order) if apart else answered)]

    def held(self, what, ours, make):
        try:
            theirs = make()
        except Exception as error:  # Whatever an engine raises is the finding.
            return [f"{what}: {str(error)[:600]}"]
        return [] if ours == theirs else [f"{what}: {first_difference(ours, theirs)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=Path)
    parser.add_argument("--spark", metavar="MASTER", help="local[2], local-cluster[2,1,1024]")
    parser.add_argument(
        "--kill", action="append", choices=["decode", "jvm"], default=[], help="once in the first night"
    )
    parser.add_argument("--corpus", type=Path, help="folder of real receipts, loaded too")
    parser.add_argument("--count", type=int, default=900, help="lines minted (default: %(default)s)")
    given = parser.parse_args()
    mill = given.mill.absolute()
    with tempfile.TemporaryDirectory(prefix="receiptmill-engines-") as name:
        folder = Path(name)
        archives = intake.make(mill, folder, given.count, given.corpus)
        lite = SQLite(mill, archives, folder)
        comparison = Comparison(lite)
        differing = comparison.compare("DuckDB", DuckDB(mill, archives, folder, lite.path))
        if given.spark:
            spark = Spark(mill, archives, folder, lite.path, given.spark, given.kill)
            differing += comparison.compare(
                "DuckDB over the lake", DuckDB(mill, archives, folder, lite.path, spark.lake)
            )
            differing += comparison.compare(f"Spark, {given.spark}", spark)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
