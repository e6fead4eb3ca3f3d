"""The merged tables of a lake, and how a night's archives join them.

LAKE/merged/TABLE            a Delta table for each of sql/lake/tables that is merged
LAKE/merged/merged_archives  archives of which they are made. A night's last commit is here, and names the version of
                             every table that goes with it; what a night that died had committed is undone by the next
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import pyarrow
from deltalake import write_deltalake
from deltalake.transaction import CommitProperties, Transaction
from pyspark.sql.functions import input_file_name

from ..lake import dialect
from ..lake.merging import PURCHASE, fingerprint, keys_of, merged_selects, rule
from .delta import FILE_BYTES, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..lake.progress import Progress
    from .storage import Storage
    from .views import Views

# Rows of sql/lake/tables; but for submissions, which are read from facts as they are.
TABLES = {name: (select, keys_of(name)) for name, select in merged_selects().items() if name != "submission"}
# What has to be known of all archives before transaction receipts are verified again.
REVIEWED_BY = {
    "issuer": ("SELECT DISTINCT certificate FROM loaded_issuers", ("certificate",)),
    "reviewable_receipt": ("SELECT octets FROM reviewable_receipts", ("octets",)),
}
ARCHIVES = "merged_archives"


class Merged:
    """The tables as the last night that ended left them."""

    def __init__(self, session: SparkSession, storage: Storage) -> None:
        self.session, self.storage = session, storage
        archives = Table(storage, "merged", ARCHIVES).log
        rows = archives.to_pyarrow_table().to_pydict() if archives else {"sha256": [], "statements": []}
        self.archives, self.statements = set(rows["sha256"]), set(rows["statements"])
        names = [*REVIEWED_BY, *TABLES] if archives else []
        self.versions = {name: archives.transaction_version(name) for name in names}

    def are_of(self, archives: Iterable[str]) -> bool:
        """Whether they are made of these archives and no others."""
        named = set(archives)
        return self.archives == named and self.can_grow_to(named)

    def can_grow_to(self, archives: Iterable[str]) -> bool:
        """Whether they are made by the statements of today, of archives that are all here yet."""
        is_known = bool(self.versions) and None not in self.versions.values()
        return is_known and self.statements <= {fingerprint(dialect.SPARK)} and self.archives <= set(archives)

    def frame(self, name: str) -> DataFrame:
        return Table(self.storage, "merged", name, version=self.versions[name]).frame(self.session)


class Merging:
    def __init__(
        self,
        session: SparkSession,
        storage: Storage,
        views: Views,
        review: Callable[[DataFrame, DataFrame], Mapping[str, DataFrame]],
        progress: Progress,
    ) -> None:
        """review: from frames of octets and certificates to those of receipts and purchases, verified again"""
        self.session, self.storage, self.views, self.review = session, storage, views, review
        self.progress = progress
        self.merged = Merged(session, storage)

    def merge(self, archives: Mapping[str, int]) -> None:
        """Makes the tables those of all archives that count (bytes by SHA-256): from the facts of new ones alone, but
        where what is merged no longer holds."""
        if self.merged.are_of(archives):
            return
        new = {sha256: archives[sha256] for sha256 in archives if sha256 not in self.merged.archives}
        versions = self.versions_with(new, self.merged) if self.merged.can_grow_to(archives) else None
        if versions:
            self.commit(new, versions, "append")
        else:
            self.commit(archives, self.versions_with(archives) or {}, "overwrite")
        self.forget_old()

    def versions_with(self, archives: Mapping[str, int], merged: Merged | None = None) -> dict[str, int] | None:
        """Joins the facts of archives to tables, or makes these of them alone; each table's new version. None where
        a receipt that is merged has another verdict now."""
        size = sum(archives.values())
        self.views.show_loaded(archives if merged else None)
        versions: dict[str, int] = {}

        def join_reviewed(name: str) -> None:
            select, told = REVIEWED_BY[name]
            versions[name] = self.join(name, self.session.sql(select), told, size, merged)

        self.progress.each("what is verified again", REVIEWED_BY, join_reviewed)
        now = {name: Table(self.storage, "merged", name).frame(self.session) for name in REVIEWED_BY}
        reviewed = self.review(now["reviewable_receipt"], now["issuer"])
        self.views.show_verified(reviewed)
        if merged and self.are_apart(merged, reviewed["receipts"]):
            return None
        rows = {name: self.session.sql(select) for name, (select, _) in TABLES.items()}
        if merged:
            self.widen_terms()
            rows["purchase_terms"] = self.session.sql(TABLES["purchase_terms"][0])

        def join(name: str) -> None:
            versions[name] = self.join(name, rows[name], TABLES[name][1], size, merged)

        self.progress.each("tables", TABLES, join)
        return versions

    def are_apart(self, merged: Merged, reviewed: DataFrame) -> bool:
        if reviewed.isEmpty():
            return False
        receipt = merged.frame("receipt").select("sha256", "verdict")
        judged = reviewed.join(receipt, "sha256")
        return not judged.where(receipt.verdict != reviewed.verdict).isEmpty()

    def widen_terms(self) -> None:
        """Shows all that was ever stated of the night's purchases."""
        self.session.table("loaded_terms").select(*PURCHASE).distinct().createOrReplaceTempView("night")
        self.views.show_facts("terms")
        same, _ = rule(", ".join(PURCHASE))
        self.session.sql(
            f"SELECT * FROM ({dialect.loaded_selects()['loaded_terms']}) AS ours LEFT SEMI JOIN night ON {same}"
        ).createOrReplaceTempView("loaded_terms")

    def join(self, name: str, night: DataFrame, told: tuple[str, ...], size: int, merged: Merged | None) -> int:
        """Joins a night's rows to a table, or makes it of them; its new version. size: bytes of the archives.

        Only files that hold a row which one of the night's goes before are written anew."""
        table = Table(self.storage, "merged", name)
        if not merged:
            return table.write(night)
        table.roll_back(merged.versions[name])
        same, wins = rule(*told)
        # Tables are joined at once: each under names of its own.
        of_night, of_ours = f"night_{name}", f"ours_{name}"
        night.persist().createOrReplaceTempView(of_night)
        # The night's rows are few, and go to where ours are read: ours stay there.
        columns = {*told[0].split(", "), *re.findall(r"\bours\.(\w+)", wins)}
        table.frame(self.session).select(*columns, input_file_name().alias("file")).createOrReplaceTempView(of_ours)
        joining = self.session.sql(
            f"SELECT night.*, ours.file AS beaten_in FROM {of_night} AS night"
            f" LEFT JOIN (SELECT ours.* FROM {of_ours} AS ours LEFT SEMI JOIN {of_night} AS night ON {same}) AS ours ON {same}"
            f" WHERE ours.file IS NULL OR ({wins})"
        ).persist()
        files = [row[0] for row in joining.select("beaten_in").distinct().collect()]
        if files:
            replaced = {uri.rpartition("/")[2] for uri in files if uri} | table.small_files()
            rows = joining.drop("beaten_in")
            if replaced:
                rows.createOrReplaceTempView(of_night)
                table.frame(self.session, replaced).createOrReplaceTempView(of_ours)
                stay = f"SELECT * FROM {of_ours} AS ours LEFT ANTI JOIN {of_night} AS night ON {same}"
                rows = rows.union(self.session.sql(stay))
            count = 1 + (size + sum(table.files()[name][1] for name in replaced)) // FILE_BYTES
            table.write(rows.coalesce(count), replaced)
        joining.unpersist()
        night.unpersist()
        return table.version() or 0

    def commit(self, archives: Iterable[str], versions: Mapping[str, int], mode: Literal["append", "overwrite"]) -> None:
        """The night's last commit: from now on the new versions are what readers read."""
        digests = sorted(archives)
        rows = {"sha256": digests, "statements": [fingerprint(dialect.SPARK)] * len(digests)}
        write_deltalake(
            self.storage.uri("merged", ARCHIVES),
            pyarrow.table({name: pyarrow.array(values, pyarrow.string()) for name, values in rows.items()}),
            mode=mode,
            commit_properties=CommitProperties(
                app_transactions=[Transaction(name, version) for name, version in versions.items()]
            ),
        )

    def forget_old(self) -> None:
        for name in self.storage.folders("merged"):
            if name in (*REVIEWED_BY, *TABLES, ARCHIVES):
                Table(self.storage, "merged", name).forget_old()
            else:  # Written by an earlier version, or by a table that is no more.
                self.storage.delete("merged", name)
