"""Brings the merged tables up to date by what a night brought, so that a night costs what it holds: by the rules of
lake/merging.py.
"""

from __future__ import annotations

import re

import duckdb

from ..lake import dialect
from ..lake.merging import PURCHASE, fingerprint, keys_of, merged_selects, rule


class Merging:
    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.selects = merged_selects()
        self.fingerprint = fingerprint(dialect.DUCKDB)

    def execute(self, statement: str) -> duckdb.DuckDBPyConnection:
        return self.connection.execute(statement)

    def merge(self) -> bool:
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
                self.merge_night(name, select)
        self.execute("DELETE FROM merged_archives")
        self.execute(
            f"INSERT INTO merged_archives SELECT sha256, lines, '{self.fingerprint}' FROM loaded_archives"
        )
        return whole

    def drop_view(self, name: str) -> None:
        """An earlier version read some tables from facts."""
        if self.execute(f"SELECT 1 FROM duckdb_views() WHERE view_name = '{name}'").fetchone():
            self.execute(f"DROP VIEW {name}")

    def holds_what_stays(self) -> bool:
        """The tables are merged by these statements from archives that are all here yet, under verdicts that hold."""
        found = self.execute(
            f"SELECT count(*), count(*) FILTER (statements = '{self.fingerprint}'"
            " AND sha256 IN (SELECT sha256 FROM loaded_archives)) FROM merged_archives"
        ).fetchone()
        known, kept = found or (0, 0)
        if not known or known > kept:
            return False
        return not self.execute(
            "SELECT 1 FROM reviewed_receipts AS reviewed JOIN receipt"
            " ON receipt.receipt_id = receipt_key(reviewed.sha256) AND receipt.verdict <> reviewed.verdict LIMIT 1"
        ).fetchone()

    def merge_night(self, name: str, select: str) -> None:
        same, wins = rule(*keys_of(name))
        self.execute(f"CREATE OR REPLACE TEMPORARY TABLE night AS {self.over_night(name, select)}")
        if wins != "true":
            self.execute(f"DELETE FROM night USING {name} AS ours WHERE {same} AND NOT ({wins})")
        if wins != "false":
            self.execute(f"DELETE FROM {name} AS ours USING night WHERE {same}")
        self.execute(f"INSERT INTO {name} SELECT * FROM night")

    def over_night(self, name: str, select: str) -> str:
        """A table's statement over new archives, and over what was judged again, which is of no archive."""
        night = "archive_sha256 = '' OR archive_sha256 IN (SELECT sha256 FROM night_archives)"
        if name == "purchase_terms":
            purchase = ", ".join(PURCHASE)
            night = f"({purchase}) IN (SELECT ({purchase}) FROM loaded_terms WHERE {night})"
        return re.sub(r"\bFROM ((?:loaded|verified)_\w+)", rf"FROM (SELECT * FROM \1 WHERE {night}) AS \1", select)
