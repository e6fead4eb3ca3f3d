#!/usr/bin/env python3
"""How much Spark has to plan for a view or a report: it must fit the memory that a driver has by default.

    python3 Tests/Engines/test_depth.py

Spark puts a view's plan, and that of a table of WITH, wherever its name stands, and goes through the whole again at
each level. So a plan weighs what its tables weigh, and a table as much as there are levels above it. Views of which
the night keeps the rows are tables. Needs no Java; `make test-lake` runs it.
"""

import re
import sys
import unittest

import engines  # Puts python/ on the path.

sys.dont_write_bytecode = True

from receiptmill.lake import dialect
from receiptmill.lake.reports import reports
from receiptmill.spark.storage import KEPT

# A report of 4,757 is borne by a driver's heap of 1 GiB; one of 5,449 was not.
HEAVIEST = 5000

# A name of a schema, and what it has, are two words.
WORD = re.compile(r"'(?:[^']|'')*'|\w+|[(),]")


class Select:
    """Names of what a statement reads, and what each of its tables of WITH does: a Select of its own, which knows those of
    the statement around it."""

    def __init__(self, words, outer=None):
        self.words, self.outer, self.tables, self.sources = words, outer, {}, []
        place = 0
        while place < len(words):
            if words[place : place + 3] in (["AS", "(", "SELECT"], ["AS", "(", "WITH"]):
                close = self.closing(place + 1)
                self.tables[words[place - 1]] = Select(words[place + 2 : close], self)
                place = close
            elif words[place] in ("FROM", "JOIN") and re.match("[a-z]", words[place + 1]):
                # A view behind the filter of its name.
                self.sources.append(words[place + 2] if words[place + 1] == "main" else words[place + 1])
            place += 1

    def table(self, name):
        """The table of WITH that a name stands for here; none where it stands for a view. A table's own name, within it,
        is what the statement around knows by it."""
        found, inner = self, None
        while found:
            if found.tables.get(name) not in (None, inner):
                return found.tables[name]
            found, inner = found.outer, found
        return None

    def closing(self, place):
        opened = 0
        for at in range(place, len(self.words)):
            opened += {"(": 1, ")": -1}.get(self.words[at], 0)
            if not opened:
                return at
        raise ValueError(f"a bracket is not closed: {' '.join(self.words[place : place + 20])}")


class Plans:
    """Tables in the plans of statements over some views, of which some are kept; and what they weigh."""

    def __init__(self, views, kept):
        self.views, self.kept, self.known = views, set(kept), {}

    def of(self, statement):
        """Tables, and weight."""
        known = {}

        def size(select):
            """Of a SELECT, once however often it is read."""
            if select not in known:
                tables = [select.table(name) for name in select.sources]
                sizes = [size(table) if table else self.of_name(name) for table, name in zip(tables, select.sources)]
                inner = sum(count for count, _ in sizes)
                known[select] = inner, inner + sum(weight for _, weight in sizes)
            return known[select]

        return size(Select(WORD.findall(statement)))

    def of_name(self, name):
        if name in self.kept or name not in self.views:
            return 1, 0
        if name not in self.known:
            self.known[name] = self.of(self.views[name])
        return self.known[name]


class Weight(unittest.TestCase):
    def test_is_counted_at_every_level(self):
        views = {"b": "SELECT * FROM t JOIN u", "a": "WITH w AS (SELECT 1 FROM b, (SELECT 2 FROM k)) SELECT * FROM w, JOIN w"}
        self.assertEqual(Plans(views, ["k"]).of("SELECT * FROM b"), (2, 4))
        self.assertEqual(Plans(views, ["k"]).of(views["a"]), (6, 16))
        self.assertEqual(Plans(views, ["b"]).of(views["a"]), (4, 8))

    def test_is_borne_by_a_driver(self):
        views = dialect.views(dialect.SPARK)
        plans = Plans(views, KEPT)
        statements = views | {f"report {name}": found.statement for name, found in reports().items()}
        weights = {name: plans.of(statement)[1] for name, statement in statements.items()}
        # Plans of nothing would pass.
        self.assertGreater(max(weights.values()), HEAVIEST / 2)
        heavy = {name: weight for name, weight in weights.items() if weight > HEAVIEST}
        self.assertEqual(heavy, {}, "keep the rows of a view that these read (receiptmill/spark/storage.py), or nest less")

    def test_is_of_views_that_are_there(self):
        self.assertLessEqual(set(KEPT), set(dialect.views(dialect.SPARK)))


if __name__ == "__main__":
    unittest.main()
