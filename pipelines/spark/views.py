"""The contract's views over a lake, as temporary views of a Spark session.

stored_*    facts as they are written, those of archives that are not committed among them
loaded_*    facts of archives that count
verified_*  the same, with what was verified again
receipt, purchase, …    the tables of sql/schema, from sql/lake/tables
receipts, purchases, …  sql/views, of which some are read from rows that a night kept
"""

from lake import decoded, dialect
from lake.settings import TABLES
from storage import ARCHIVES, FACTS, KEPT, MERGED


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

    def facts(self, name):
        """What stands in the lake at this moment."""
        schema = self.schemas[name]
        return self.session.read.schema(schema).parquet(self.storage.path(name)).select(schema.names)

    def reviewed(self, generation, name):
        if generation is None:
            return self.session.createDataFrame([], self.schemas[name])
        return self.session.read.schema(self.schemas[name]).parquet(
            self.storage.path("merged", generation, f"reviewed_{name}")
        )

    def show_loaded(self, reviewed=None):
        """Facts that count, with what was verified again under a generation."""
        self.archives().createOrReplaceTempView("stored_archives")
        for name in FACTS:
            self.facts(name).createOrReplaceTempView(f"stored_{name}")
        for name in ("receipts", "purchases"):
            self.reviewed(reviewed, name).createOrReplaceTempView(f"reviewed_{name}")
        selects = dialect.lake_selects("loaded")
        for name in dialect.in_order(selects):
            self.session.sql(selects[name]).createOrReplaceTempView(name)

    def show_tables(self, merged=None):
        """The loader's tables; those merged are read from a generation, or computed where none is given."""
        for name, select in dialect.lake_selects("tables").items():
            if merged and name in MERGED:
                frame = self.session.read.parquet(self.storage.path("merged", merged, name))
            else:
                frame = self.session.sql(select)
            frame.createOrReplaceTempView(name)

    def show_views(self, kept):
        """The contract's views, and the settings that they read, over what `keep` wrote under a name."""
        for table in TABLES:
            self.show_kept(kept, table)
        for name, statement in dialect.views(dialect.SPARK).items():
            if name in KEPT:
                self.show_kept(kept, name)
            else:
                self.session.sql(statement)

    def keep(self, kept, settings):
        """Writes settings and, worked out by them, the rows of views, each read by those behind it."""
        for table, rows in settings.items():
            schema = ", ".join(f"{column} {kind}" for column, kind in TABLES[table].items())
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
