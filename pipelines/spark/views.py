"""The contract's views over a lake, as temporary views of a Spark session.

stored_*    facts as they are written, those of archives that are not committed among them
loaded_*    facts of archives that count
verified_*  the same, with what was verified again
receipt, purchase, …    the tables of sql/schema, from sql/lake/tables
model_sales, …          sql/core and sql/marts, read from rows that a night kept
receipts, purchases, …  sql/views
"""

from lake import decoded, dialect, seeds
from lake.settings import time_zone
from storage import ARCHIVES, FACTS, KEPT, KNOWN, generation_of


class Views:
    def __init__(self, session, storage):
        self.session = session
        self.storage = storage
        self.run_file("engines/spark.sql")
        self.show_decoded(session.createDataFrame([], decoded_row()))
        selects = dialect.lake_selects("facts")
        self.schemas = {name: session.sql(selects[name]).schema for name in FACTS}

    def run_file(self, name):
        for statement in dialect.statements(dialect.SQL / name):
            self.session.sql(statement)

    def show_decoded(self, lines):
        """Makes the views from which the facts are selected."""
        lines.createOrReplaceTempView("decoded")
        self.run_file("engines/spark-decoded.sql")

    def archives(self):
        return self.session.read.schema(ARCHIVES).parquet(self.storage.path("archives"))

    def archives_that_count(self):
        """Bytes by SHA-256; those that have grown to another one are left out."""
        rows = self.archives().collect()
        replaced = {row["replaces"] for row in rows}
        return {row["sha256"]: row["bytes"] for row in rows if row["sha256"] not in replaced}

    def generation(self):
        return generation_of(row["sha256"] for row in self.archives().collect())

    def facts(self, name, archives=None):
        """What stands in the lake at this moment, of all archives or of some."""
        schema, folder = self.schemas[name], self.storage.path(name)
        reader = self.session.read.schema(schema).option("basePath", folder)
        if archives is None:
            return reader.parquet(folder).select(schema.names)
        there = sorted({f"archive_sha256={sha256}" for sha256 in archives}.intersection(self.storage.folders(name)))
        if not there:
            return self.session.createDataFrame([], schema)
        return reader.parquet(*(self.storage.path(name, one) for one in there)).select(schema.names)

    def show_facts(self, name, archives=None):
        self.facts(name, archives).createOrReplaceTempView(f"stored_{name}")

    def show_loaded(self, archives=None):
        """Facts that count, of all archives or of some."""
        self.archives().createOrReplaceTempView("stored_archives")
        for name in FACTS:
            self.show_facts(name, archives)
        self.show_verified({})

    def show_verified(self, reviewed):
        """The same, with what was verified again."""
        for name in ("receipts", "purchases"):
            frame = reviewed[name] if reviewed else self.session.createDataFrame([], self.schemas[name])
            frame.createOrReplaceTempView(f"reviewed_{name}")
        selects = dialect.lake_selects("loaded")
        for name in dialect.in_order(selects):
            self.session.sql(selects[name]).createOrReplaceTempView(name)

    def show_tables(self, merged):
        """The loader's tables: those that are merged, and those that are read from facts."""
        for name, select in dialect.lake_selects("tables").items():
            frame = merged.frame(name) if name in merged.versions else self.session.sql(select)
            frame.createOrReplaceTempView(name)

    def show_views(self, kept):
        """The contract's views, and the settings and models that they read, over what `keep` wrote under a name."""
        for table in KNOWN:
            self.show_kept(kept, table)
        for name, statement in dialect.views(dialect.SPARK).items():
            if name in KEPT:
                self.show_kept(kept, name)
            else:
                self.session.sql(statement)

    def keep(self, kept, settings):
        """Writes settings, the calendar and, worked out by them, the rows of models, each read by those behind it."""
        for table, rows in (settings | seeds.rows(time_zone(settings))).items():
            schema = ", ".join(f"{column} {kind}" for column, kind in KNOWN[table].items())
            self.write_kept(kept, table, self.session.createDataFrame(rows, schema))
        for name, statement in dialect.views(dialect.SPARK).items():
            self.session.sql(statement)
            if name in KEPT:
                self.write_kept(kept, name, self.session.table(name))

    def write_kept(self, kept, name, frame):
        frame.write.parquet(self.storage.path("views", kept, name))
        self.show_kept(kept, name)

    def show_kept(self, kept, name):
        self.session.read.parquet(self.storage.path("views", kept, name)).createOrReplaceTempView(name)


def decoded_row():
    """The columns of what decoding.py makes of a line, as Spark writes types."""
    from decoding import ROW

    return ", ".join(f"{name} {decoded.spark_type(kind)}" for name, kind in ROW.items())
