"""What the rows of a model on Spark follow from, without Spark: rows that are taken for the last night's have to be those."""

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from receiptmill.lake import dialect, merging
from receiptmill.spark.origins import Origins
from receiptmill.spark.storage import KEPT, KNOWN

# Read from facts.
NOT_MERGED = {*merging.NOT_MERGED, "submission"}
TEXTS = dialect.views(dialect.SPARK) | dialect.models() | dialect.lake_selects("tables")
READ_BY = {name: dialect.read_by(text) for name, text in TEXTS.items()}


class Storage:
    """A lake's folders of facts, by the archives that have some."""

    def __init__(self, **folders):
        self.found = folders

    def folders(self, name):
        return [f"archive_sha256={sha256}" for sha256 in self.found.get(name, [])]


class Merged:
    def __init__(self, **versions):
        tables = dialect.lake_selects("tables")
        self.versions = {name: 1 for name in [*tables, "issuer", "reviewable_receipt"] if name not in NOT_MERGED} | versions




def origins(storage=None, merged=None, generation="g", archives=("a", "b"), **known):
    rows = {name: [] for name in KNOWN} | known
    found = Origins(storage or Storage(submissions=["a", "b"]), merged or Merged(), generation, archives, rows)
    return {name: found.of(name) for name in [*KNOWN, *KEPT]}


def differing(one, other):
    return {name for name in one if one[name] != other[name]}


def reads(name):
    """Whatever a model reads, directly or through others: tables, models and settings."""
    found, waiting = set(), [name]
    while waiting:
        for other in READ_BY.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


class Following(unittest.TestCase):
    def test_nothing_differs_where_nothing_changed(self):
        self.assertEqual(origins(), origins())

    def test_a_setting_changes_what_reads_it(self):
        changed = differing(origins(), origins(signal_setting=[["burst", 5]]))
        self.assertEqual(changed - {"signal_setting"}, {name for name in KEPT if "signal_setting" in reads(name)})
        self.assertIn("model_signals", changed)
        self.assertNotIn("model_sales", changed)

    def test_a_merged_table_changes_what_reads_it(self):
        changed = differing(origins(), origins(merged=Merged(renewal=2)))
        self.assertEqual(changed, {name for name in KEPT if "renewal" in reads(name)})
        self.assertIn("model_renewal_states", changed)

    def test_submissions_of_a_new_archive_change_what_reads_them(self):
        more = origins(Storage(submissions=["a", "b", "c"]), archives=("a", "b", "c"))
        changed = differing(origins(), more)
        self.assertEqual(changed, {name for name in KEPT if "submission" in reads(name)})
        self.assertTrue(changed)

    def test_facts_of_an_archive_that_does_not_count_change_nothing(self):
        self.assertEqual(differing(origins(), origins(Storage(submissions=["a", "b", "left behind"]))), set())

    def test_what_is_read_of_archives_follows_from_the_generation(self):
        changed = differing(origins(), origins(generation="another"))
        self.assertEqual(changed, {name for name in KEPT if reads(name) & {"archive"}})


if __name__ == "__main__":
    unittest.main()
