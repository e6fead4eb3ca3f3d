#!/usr/bin/env python3
"""Whatever the store and we have: the pieces into which reconciliation cuts both add up to either side.

    python3 Tests/Engines/test_reconciled.py [ROUNDS]

Random sales on both sides, of days, weeks and months, fractions of units, prices that differ little or much or that nobody
knows, run through the marts by SQLite. The models that the marts read are tables filled here.
"""

import math
import random
import sqlite3
import sys
import unittest

import engines  # Puts python/ on the path.

sys.dont_write_bytecode = True

from receiptmill.lake import dialect

ROUNDS = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 60
MODELS = dialect.models()
MARTS = ["model_reconciled_groups", "model_reconciled_dates", "model_reconciled"]
PLACES = [("US", "USD"), ("JP", "JPY"), ("KW", "KWD"), ("", "")]
PRICES = {"USD": [0, 990, 3330, 3333, 9990], "JPY": [0, 333333, 333000, 600000], "KWD": [1, 990, 1001], "": [-1, 0]}
FIRST, LAST = 20500, 20560

TABLES = {
    "model_store_sales": "report, first_day, last_day, store_day, product_id, country, currency, price_milliunits, is_refund, "
    "is_download, app_id, units_thousandths, gross_milliunits",
    "model_own_sales": "match_day, product_id, price_milliunits, country, currency, own_day, sold_day, kind, app_id, is_refund, "
    "units_thousandths, gross_milliunits",
    "model_store_days": "report, day_number",
    "model_days": "day_number",
    "app": "app_id, environment, bundle_id",
}


def world(chance):
    """A database with the tables that the marts read."""
    lite = sqlite3.connect(":memory:")
    lite.create_function("floor", 1, lambda value: None if value is None else math.floor(value))
    for table, columns in TABLES.items():
        lite.execute(f"CREATE TABLE {table} ({columns})")
    lite.execute(dialect.without_comments((dialect.SQL / "views/internal_currency_digits.sql").read_text()).rstrip(";"))
    fill(lite, "model_days", [(day,) for day in range(FIRST - 100, LAST + 100)])
    fill(lite, "app", [(1, "Production", "a"), (2, "Production", "b"), (3, "Sandbox", "b")])
    # Sometimes two developer accounts sell gold, each in its app.
    apps = chance.choice([[1], [1, 2]])
    store, ours = {}, {}
    for _ in range(chance.randint(0, 50)):
        report = chance.choice(["sales", "finance_detail"])
        # Spans of one product never overlap: that is the rule of model_store_sales.
        product, span = chance.choice([("gold", 1), ("week", 7), ("month", 30)])
        day = chance.randrange(FIRST, LAST) // span * span
        last, counted = (day, day + chance.choice([0, 0, 3])) if report == "finance_detail" else (day + span - 1, day + span // 2)
        country, currency = chance.choice(PLACES[:3])
        price, units = chance.choice(PRICES[currency]), chance.choice([1000, 2000, 7000, 500, 1370, -1000, -250])
        key = (report, day, last, counted, product, country, currency, price, int(units < 0), 0,
               chance.choice(apps) if product == "gold" else 1)
        add(store, key, units, int(units * price / 1000))
    for _ in range(chance.randint(0, 60)):
        day, (country, currency) = chance.randrange(FIRST - 40, LAST + 40), chance.choice(PLACES)
        price, quantity, is_refund = chance.choice(PRICES[currency]), chance.choice([1, 1, 2, 3]), int(chance.random() < 0.2)
        paid = day + chance.choice([0, 0, 0, 0, 4])
        product, kind = chance.choice(["gold", "week", "month"]), chance.choice([0, 0, 0, 0, 1, 2])
        app = chance.choice(apps) if product == "gold" else 1
        key = (paid, product, price, country, currency, day + chance.choice([0, 0, 1]), day, kind,
               3 if kind == 1 and app == 2 else app, is_refund)
        add(ours, key, (1 - 2 * is_refund) * quantity * 1000, (1 - 2 * is_refund) * quantity * max(price, 0))
    fill(lite, "model_store_sales", [(*key, *sums) for key, sums in store.items()])
    fill(lite, "model_own_sales", [(*key, *sums) for key, sums in ours.items()])
    fill(lite, "model_store_days", [(report, day) for report in {key[0] for key in store} for day in range(FIRST - 30, LAST + 31)
                                    if day % 11])
    for name in MARTS:
        lite.execute(f"CREATE TABLE {name} AS {MODELS[name]}")
    return lite


def add(sums, key, units, gross):
    before = sums.get(key, (0, 0))
    sums[key] = before[0] + units, before[1] + gross


def fill(lite, table, rows):
    lite.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(TABLES[table].split(',')))})", rows)


class Reconciled(unittest.TestCase):
    def same(self, lite, expected, found):
        self.assertEqual(lite.execute(expected).fetchall(), lite.execute(found).fetchall())

    def test_sums(self):
        for seed in range(ROUNDS):
            with self.subTest(seed=seed):
                lite = world(random.Random(seed))
                key = "report, store_day, product_id, country, currency, price_milliunits, is_refund"
                self.same(
                    lite,
                    f"SELECT {key}, sum(units_thousandths), sum(gross_milliunits) FROM model_store_sales GROUP BY {key} ORDER BY {key}",
                    f"SELECT {key}, sum(store_units), sum(store_gross) FROM model_reconciled WHERE store_units <> 0 "
                    f"GROUP BY {key} ORDER BY {key}",
                )
                # Ours of days beyond the files are there only if the files have them, and no sale without money is settled.
                span = "(SELECT report, min(day_number) AS first, max(day_number) AS last FROM model_store_days GROUP BY report)"
                own = f"FROM {span} AS span JOIN model_own_sales ON kind = 0 AND (report = 'sales' OR price_milliunits <> 0) AND match_day BETWEEN first"
                by = "GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
                sums = f"SELECT report, product_id, own_day, is_refund, sum(units_thousandths), sum(gross_milliunits) {own}"
                least = {row[:4]: row[4:] for row in lite.execute(f"{sums} AND last {by}")}
                most = {row[:4]: row[4:] for row in lite.execute(f"{sums} - 31 AND last + 31 {by}")}
                found = {row[:4]: row[4:] for row in lite.execute(
                    "SELECT report, product_id, our_day, is_refund, sum(our_units), sum(our_gross) FROM model_reconciled "
                    f"WHERE our_units <> 0 {by}")}
                for key in most.keys() | found.keys():
                    low, high = least.get(key, (0, 0)), most[key]
                    for place, value in enumerate(found.get(key, (0, 0))):
                        self.assertLessEqual(min(abs(low[place]), abs(high[place])), abs(value))
                        self.assertLessEqual(abs(value), abs(high[place]))

    def test_classes(self):
        two_sided = "'agreed', 'day_edge', 'settled_later', 'billing_retry', 'rounding', 'refund_dated_elsewhere', 'price_changed', " \
            "'price_unknown'"
        for seed in range(ROUNDS):
            with self.subTest(seed=seed):
                lite = world(random.Random(seed))
                faults = lite.execute(
                    "SELECT report, product_id, class, is_refund FROM model_reconciled "
                    f"WHERE class IN ({two_sided}) GROUP BY 1, 2, 3, 4 HAVING sum(store_units) <> sum(our_units) "
                    "UNION ALL SELECT report, product_id, class, is_refund FROM model_reconciled WHERE class = 'unexplained'"
                ).fetchall()
                self.assertEqual(faults, [])

    def test_apps(self):
        """What agrees of a product that two apps sell agrees of each."""
        compared = 0
        for seed in range(ROUNDS):
            with self.subTest(seed=seed):
                lite = world(random.Random(seed))
                rows = lite.execute(
                    "SELECT report, app_id, class, is_refund, sum(store_units), sum(our_units) FROM model_reconciled "
                    "WHERE product_id = 'gold' AND class NOT IN ('sandbox', 'family_assigned', 'not_in_archive', 'not_in_report', "
                    "'report_missing') AND report IN (SELECT report FROM model_store_sales WHERE product_id = 'gold' "
                    "GROUP BY report HAVING min(app_id) < max(app_id)) GROUP BY 1, 2, 3, 4"
                ).fetchall()
                compared += len(rows)
                self.assertEqual([row for row in rows if row[4] != row[5]], [])
        self.assertGreater(compared, 0)


if __name__ == "__main__":
    unittest.main()
