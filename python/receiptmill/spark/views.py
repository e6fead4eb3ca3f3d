"""The contract's views over a lake, as temporary views of a Spark session.

stored_*    facts as they are written, those of archives that are not committed among them
loaded_*    facts of archives that count
verified_*  the same, with what was verified again
receipt, purchase, …    the tables of sql/schema, from sql/lake/tables
model_sales, …          sql/core and sql/marts, read from rows that a night kept
receipts, purchases, …  sql/views
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..lake import decoded, dialect
from ..lake.settings import Settings
from .storage import ARCHIVES, FACTS, KEPT, KNOWN, ORIGINS, STEPS, generation_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..lake.progress import Progress
    from .merged import Merged
    from .origins import Origins
    from .storage import Storage


class Views:
    def __init__(self, session: SparkSession, storage: Storage) -> None:
        self.session = session
        self.storage = storage
        self.run_file("engines/spark.sql")
        self.show_decoded(session.createDataFrame([], decoded_row()))
        selects = dialect.lake_selects("facts")
        self.schemas = {name: session.sql(selects[name]).schema for name in FACTS}

    def run_file(self, name: str) -> None:
        for statement in dialect.statements(dialect.SQL / name):
            self.session.sql(statement)

    def show_decoded(self, lines: DataFrame) -> None:
        """Makes the views from which the facts are selected."""
        lines.createOrReplaceTempView("decoded")
        self.run_file("engines/spark-decoded.sql")

    def archives(self) -> DataFrame:
        return self.session.read.schema(ARCHIVES).parquet(self.storage.path("archives"))

    def archives_that_count(self) -> dict[str, int]:
        """Bytes by SHA-256; those that have grown to another one are left out."""
        rows = self.archives().collect()
        replaced = {row["replaces"] for row in rows}
        return {row["sha256"]: row["bytes"] for row in rows if row["sha256"] not in replaced}

    def generation(self) -> str:
        return generation_of(row["sha256"] for row in self.archives().collect())

    def facts(self, name: str, archives: Iterable[str] | None = None) -> DataFrame:
        """What stands in the lake at this moment, of all archives or of some."""
        schema, folder = self.schemas[name], self.storage.path(name)
        reader = self.session.read.schema(schema).option("basePath", folder)
        if archives is None:
            return reader.parquet(folder).select(schema.names)
        there = sorted({f"archive_sha256={sha256}" for sha256 in archives}.intersection(self.storage.folders(name)))
        if not there:
            return self.session.createDataFrame([], schema)
        return reader.parquet(*(self.storage.path(name, one) for one in there)).select(schema.names)

    def show_facts(self, name: str, archives: Iterable[str] | None = None) -> None:
        self.facts(name, archives).createOrReplaceTempView(f"stored_{name}")

    def show_loaded(self, archives: Iterable[str] | None = None) -> None:
        """Facts that count, of all archives or of some."""
        self.archives().createOrReplaceTempView("stored_archives")
        for name in FACTS:
            self.show_facts(name, archives)
        self.show_verified({})

    def show_verified(self, reviewed: Mapping[str, DataFrame]) -> None:
        """The same, with what was verified again."""
        for name in ("receipts", "purchases"):
            frame = reviewed[name] if reviewed else self.session.createDataFrame([], self.schemas[name])
            frame.createOrReplaceTempView(f"reviewed_{name}")
        selects = dialect.loaded_selects()
        for name in dialect.in_order(selects):
            self.session.sql(selects[name]).createOrReplaceTempView(name)

    def show_tables(self, merged: Merged) -> None:
        """The loader's tables: those that are merged, and those that are read from facts."""
        for name, select in dialect.lake_selects("tables").items():
            frame = merged.frame(name) if name in merged.versions else self.session.sql(select)
            frame.createOrReplaceTempView(name)

    def show_views(self, kept: str, statements: Iterable[str] | None = None) -> None:
        """The contract's views, and the settings and models that they read, over what `keep` wrote under a name: all, or
        those that statements read."""
        views = dialect.views(dialect.SPARK)
        needed = {*KNOWN, *views} if statements is None else self.read_by(statements, views)
        for table in sorted(needed.intersection(KNOWN)):
            self.show_kept(kept, table)
        for name, statement in views.items():
            if name in KEPT and name in needed:
                self.show_kept(kept, name)
            elif name in needed:
                self.session.sql(statement)

    @staticmethod
    def read_by(statements: Iterable[str], views: Mapping[str, str]) -> set[str]:
        """Views, models and tables that statements read, and that those views read in turn."""
        found: set[str] = set()
        waiting = [name for statement in statements for name in dialect.read_behind_filters(statement)]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                # Rows of models are there: what a model was made of is not read again.
                waiting += dialect.read_by(views[name]) if name in views and name not in KEPT else ()
        return found

    def keep(self, kept: str, rows: Settings, origins: Origins, progress: Progress) -> None:
        """Writes settings and the calendar, of which the rows are given, and the rows of models, each behind those that it
        reads. Rows that follow from what the last night's follow from are copied, and all others computed."""
        last, before = self.storage.last_views()
        statements = dialect.views(dialect.SPARK)
        now = {name: origins.of(name) for name in [*KNOWN, *KEPT]}
        same = {name for name in now if last and before.get(name) == now[name]}
        selects: dict[str, str] = {}
        for name, select in dialect.models().items():
            selects |= {name: select} if name in same else dialect.steps(name, select)

        def reads(name: str) -> set[str]:
            return set() if name in same else dialect.read_by(selects.get(name) or statements.get(name, ""))

        def show(name: str) -> None:
            if name in same:
                self.storage.copy(("views", str(last), name), ("views", kept, name))
                self.show_kept(kept, name)
            elif name in KNOWN:
                schema = ", ".join(f"{column} {kind}" for column, kind in KNOWN[name].items())
                self.write_kept(kept, name, self.session.createDataFrame(rows[name], schema).coalesce(1))
            elif name in selects:
                self.write_kept(kept, name, self.session.sql(selects[name]), *([] if name in KEPT else [STEPS]))
            else:
                self.session.sql(statements[name])

        progress.each("models and views", dict.fromkeys([*KNOWN, *statements, *selects]), show, reads)
        self.storage.delete("views", kept, STEPS)
        self.storage.write_text(json.dumps(now), "views", kept, ORIGINS)
        computed = [name for name in KEPT if name not in same]
        progress.line(f"{len(computed)} of {len(KEPT)} models computed, the others are those of the last night")

    def write_kept(self, kept: str, name: str, frame: DataFrame, *folder: str) -> None:
        path = self.storage.path("views", kept, *folder, name)
        frame.write.parquet(path)
        self.session.read.schema(frame.schema).parquet(path).createOrReplaceTempView(name)

    def show_kept(self, kept: str, name: str) -> None:
        self.session.read.parquet(self.storage.path("views", kept, name)).createOrReplaceTempView(name)


def decoded_row() -> str:
    """The columns of what decoding.py makes of a line, as Spark writes types."""
    from .decoding import ROW

    return ", ".join(f"{name} {decoded.spark_type(kind)}" for name, kind in ROW.items())
