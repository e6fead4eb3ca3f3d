"""Brings the merged tables up to date by what a night brought, so that a night costs what it holds.

A table of sql/lake/tables is merged from the facts of all archives. Its statement runs over the facts of new
archives alone, and of two rows for one key, the night's and the one that is there, the same rule chooses. What no
such rule covers, an archive that went or a verdict that changed, has all tables merged anew.
"""

import hashlib
import re

from lake import dialect

# Read from facts or from another table as they are; all others are tables of the file.
NOT_MERGED = (
    "allowed_subject archive decision decision_signal erasure receipt_lineage rejection retraction run"
    " signal_sighting"
).split()

NEWER = "(night.as_of, night.receipt_id) > (ours.as_of, ours.receipt_id)"
# What a row is known by, and when the night's goes before ours; where nothing is said, it says the same.
KEYS = {
    "app": ("app_id",),
    "app_transaction": ("receipt_id",),
    "attribute_set_member": ("attribute_set_id, attribute_type",),
    "claimed_purchase": ("purchase_id", NEWER),
    "notification": ("receipt_id",),
    "product": ("product_number",),
    "purchase": ("app_id, transaction_id", NEWER),
    "purchase_terms": ("app_id, transaction_id, verdict", "true"),
    "receipt": (
        "receipt_id",
        "(CASE WHEN night.verdict = 'trusted' THEN 0 ELSE 1 END, night.archive_sha256)"
        " < (CASE WHEN ours.verdict = 'trusted' THEN 0 ELSE 1 END, ours.archive_sha256)",
    ),
    "receipt_part": ("receipt_id, part",),
    "receipt_purchase": ("receipt_id, transaction_id",),
    "renewal": ("receipt_id",),
    "revocation": ("receipt_id",),
    "signer": ("signer_id",),
    # All of an archive that has more lines than it had.
    "submission": ("archive_id", "true"),
    "version": ("version_id",),
}

# Terms are merged column by column, which needs all that was stated of a purchase.
PURCHASE = "environment, bundle_id, transaction_id"


class Merging:
    def __init__(self, connection):
        self.connection = connection
        self.selects = {name: text for name, text in dialect.lake_selects("tables").items() if name not in NOT_MERGED}
        texts = [*dialect.lake_selects("loaded").values(), *dialect.lake_selects("tables").values()]
        texts += dialect.statements(dialect.SQL / "engines/duckdb.sql")
        self.fingerprint = hashlib.sha256("\n".join(texts).encode()).hexdigest()

    def execute(self, statement):
        return self.connection.execute(statement)

    def merge(self):
        """Merges what is new; whether that was all, and not a night's."""
        self.execute("CREATE TABLE IF NOT EXISTS merged_archives (sha256 VARCHAR, lines BIGINT, statements VARCHAR)")
        self.execute(
            "CREATE OR REPLACE TEMPORARY TABLE night_archives AS SELECT sha256 FROM loaded_archives"
            " WHERE (sha256, lines) NOT IN (SELECT (sha256, lines) FROM merged_archives)"
        )
        whole = not self.holds_what_stays()
        for name, select in self.selects.items():
            if whole:
                self.drop_view(name)
                self.execute(f"CREATE OR REPLACE TABLE {name} AS {select}")
            else:
                self.merge_night(name, select, *KEYS[name])
        self.execute("DELETE FROM merged_archives")
        self.execute(
            f"INSERT INTO merged_archives SELECT sha256, lines, '{self.fingerprint}' FROM loaded_archives"
        )
        return whole

    def drop_view(self, name):
        """An earlier version read some tables from facts."""
        if self.execute(f"SELECT 1 FROM duckdb_views() WHERE view_name = '{name}'").fetchone():
            self.execute(f"DROP VIEW {name}")

    def holds_what_stays(self):
        """The tables are merged by these statements from archives that are all here yet, under verdicts that hold."""
        known, kept = self.execute(
            f"SELECT count(*), count(*) FILTER (statements = '{self.fingerprint}'"
            " AND sha256 IN (SELECT sha256 FROM loaded_archives)) FROM merged_archives"
        ).fetchone()
        if not known or known > kept:
            return False
        return not self.execute(
            "SELECT 1 FROM reviewed_receipts AS reviewed JOIN receipt"
            " ON receipt.receipt_id = receipt_key(reviewed.sha256) AND receipt.verdict <> reviewed.verdict LIMIT 1"
        ).fetchone()

    def merge_night(self, name, select, key, wins="false"):
        same = " AND ".join(f"night.{column} IS NOT DISTINCT FROM ours.{column}" for column in key.split(", "))
        self.execute(f"CREATE OR REPLACE TEMPORARY TABLE night AS {self.over_night(name, select)}")
        if wins != "true":
            self.execute(f"DELETE FROM night USING {name} AS ours WHERE {same} AND NOT ({wins})")
        if wins != "false":
            self.execute(f"DELETE FROM {name} AS ours USING night WHERE {same}")
        self.execute(f"INSERT INTO {name} SELECT * FROM night")

    def over_night(self, name, select):
        """A table's statement over new archives, and over what was judged again, which is of no archive."""
        night = "archive_sha256 = '' OR archive_sha256 IN (SELECT sha256 FROM night_archives)"
        if name == "purchase_terms":
            night = f"({PURCHASE}) IN (SELECT ({PURCHASE}) FROM loaded_terms WHERE {night})"
        return re.sub(r"\bFROM ((?:loaded|verified)_\w+)", rf"FROM (SELECT * FROM \1 WHERE {night}) AS \1", select)
