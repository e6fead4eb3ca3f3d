"""Runs every report in SQLite and in DuckDB or Spark, and compares the rows.

    python3 Tests/Engines/compare.py mill.sqlite [--engine duckdb|spark] [--subject ACCOUNT]

The views' rows are copied from SQLite; calendar and numbers are the engine's
own, from sql/engines/. Reports run as they stand, but for DuckDB's spelling of
parameters. Needs `pip install duckdb` or `pip install pyspark`.
"""
import argparse
import csv
import re
import sqlite3
import sys
import tempfile
from pathlib import Path

SQL = Path(__file__).resolve().parents[2] / "sql"


def views_read(reports):
    """The views that reports name, apart from those that the engine makes."""
    names = {path.stem for path in (SQL / "views").glob("*.sql")} - {"calendar", "numbers"}
    text = "\n".join(body(path) for path in reports)
    return sorted(name for name in names if re.search(rf"\b{name}\b", text))


def body(path):
    return "\n".join(line for line in path.read_text().split("\n") if not line.lstrip().startswith("--"))


def parameters(path, subject):
    """Every parameter unset, but those that have to be given."""
    names = set(re.findall(r"(?<![\w:']):([a-z_]+)", body(path)))
    required = set(re.findall(r"^--   :(\w+) +\w+ +required ", path.read_text(), re.M))
    return {name: subject if name in required else None for name in names}


def table(lite, view):
    """A view's columns with a type that its values have, and its rows."""
    cursor = lite.execute(f"SELECT * FROM {view}")
    names = [column[0] for column in cursor.description]
    rows = cursor.fetchall()
    types = []
    for place in range(len(names)):
        kinds = {type(row[place]) for row in rows} - {type(None)}
        types.append("BIGINT" if kinds == {int} else "DOUBLE" if kinds and kinds <= {int, float} else "VARCHAR")
    return names, types, rows


def plain(row):
    return tuple(
        round(float(value), 6) if value is not None and not isinstance(value, (str, bool)) else value for value in row)


class DuckDB:
    def __init__(self):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("SET default_null_order = 'nulls_last'")

    def load(self, view, names, types, rows):
        columns = ", ".join(f'"{name}" {kind}' for name, kind in zip(names, types))
        self.connection.execute(f"CREATE TABLE {view} ({columns})")
        if not rows:
            return
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([["\\N" if value is None else value for value in row] for row in rows])
            file.flush()
            self.connection.execute(f"COPY {view} FROM '{file.name}' (AUTO_DETECT false, HEADER false, NULLSTR '\\N', QUOTE '\"', ESCAPE '\"')")

    def prepare(self):
        self.connection.execute((SQL / "engines/duckdb.sql").read_text())

    def rows(self, path, values):
        text = re.sub(r"(?<![\w:']):([a-z_]+)", r"$\1", body(path))
        return self.connection.execute(text, values).fetchall()


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local[2]").config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1").config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2").getOrCreate())

    def load(self, view, names, types, rows):
        schema = ", ".join(f"`{n}` {'STRING' if t == 'VARCHAR' else t}" for n, t in zip(names, types))
        rows = [tuple(float(v) if t == "DOUBLE" and v is not None else v for v, t in zip(row, types)) for row in rows]
        self.session.createDataFrame(rows, schema).createOrReplaceTempView(view)

    def prepare(self):
        for statement in (SQL / "engines/spark.sql").read_text().split(";"):
            if "CREATE" in statement:
                self.session.sql(statement)

    def rows(self, path, values):
        return [tuple(row) for row in self.session.sql(body(path).strip().rstrip(";"), args=values).collect()]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("database")
    arguments.add_argument("--engine", choices=["duckdb", "spark"], default="duckdb")
    arguments.add_argument("--subject", default="u0-1")
    arguments.add_argument("--report", action="append")
    given = arguments.parse_args()
    reports = sorted((SQL / "reports").rglob("*.sql"))
    if given.report:
        reports = [path for path in reports if path.stem in given.report]
    lite = sqlite3.connect(f"file:{given.database}?mode=ro", uri=True)
    engine = DuckDB() if given.engine == "duckdb" else Spark()
    for view in views_read(reports):
        engine.load(view, *table(lite, view))
    engine.prepare()
    differing = 0
    for path in reports:
        values = parameters(path, given.subject)
        ours = [plain(row) for row in lite.execute(path.read_text(), values).fetchall()]
        try:
            theirs = [plain(row) for row in engine.rows(path, values)]
        except Exception as error:
            print(f"{path.stem}: {str(error)[:400]}")
            differing += 1
            continue
        if ours != theirs:
            first = next((pair for pair in zip(ours, theirs) if pair[0] != pair[1]), (len(ours), len(theirs)))
            print(f"{path.stem}: differs: {first[0]} in SQLite, {first[1]} in {given.engine}")
            differing += 1
        else:
            print(f"{path.stem}: {len(ours)} rows alike")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
