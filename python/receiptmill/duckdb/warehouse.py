"""A file of DuckDB's that holds what decode wrote or a lake's Parquet, the tables merged from that, and models and views."""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import duckdb

from ..lake import decoded, dialect, seeds
from ..lake.merging import NOT_MERGED
from ..lake.progress import Progress
from ..lake.reports import Report
from ..lake.settings import TABLES, settings, time_zone
from .merging import Merging
from .resources import Resources

Name = str | os.PathLike[str]

FACTS = sorted(dialect.lake_selects("facts"))
ARCHIVES = (
    "sha256 VARCHAR, name VARCHAR, bytes BIGINT, lines BIGINT, loaded_lines BIGINT, complete INTEGER,"
    " first_loaded_at BIGINT, completed_at BIGINT, replaces VARCHAR"
)
# Facts whose rows are counted as they arrive, and tables of which the facts say how many rows they must have.
HELD = ["submissions", "rejections", "purchases"]
MERGED = {
    "receipt": ("receipt_key(sha256)", "receipt_id", "verified_receipts"),
    "purchase": (
        "app_key(environment, bundle_id), transaction_key(transaction_id)",
        "app_id, transaction_id",
        "verified_purchases WHERE verdict = 'trusted'",
    ),
}

# A line of decode holds up to --max-line bytes of archive, told in other words.
LONGEST_LINE = 64 << 20
# Each thread has a buffer of twice the longest line, which is at least this long.
SHORTEST_BUFFERED = 16 << 20

# Bytes of decoded lines that are taken together. Their table takes several times as much memory.
TAKEN_TOGETHER = 128 << 20
# What a compressed file of decode's lines becomes, at most.
COMPRESSED = 8

LINE_COLUMNS = {name: decoded.duckdb_type(kind) for name, kind in decoded.LINE.items()}


class BadInput(Exception):
    """A file is not what decode or a night's run writes."""


class BadBuild(Exception):
    """The file does not hold what was put into it."""


class Warehouse:
    def __init__(self, path: Name, read_only: bool = False, resources: Resources | None = None) -> None:
        self.expected: dict[str, list[int]] = {}
        self.connection = duckdb.connect(str(path), read_only=read_only)
        if resources:
            resources.apply(self.connection)
        self.connection.execute("SET TimeZone = 'UTC'")

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def execute(self, statement: str, values: Any = None) -> duckdb.DuckDBPyConnection:
        return self.connection.execute(statement, values)

    def only(self, statement: str, values: Any = None) -> tuple[Any, ...]:
        """The row of a statement that always gives one."""
        row: tuple[Any, ...] | None = self.execute(statement, values).fetchone()
        if row is None:
            raise BadBuild(f"no row of {statement[:60]}")
        return row

    def counted(self, statement: str, values: Any = None) -> int:
        return int(self.only(statement, values)[0])

    def run_file(self, name: str) -> None:
        for statement in dialect.statements(dialect.SQL / name):
            self.execute(statement)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self.execute("BEGIN")
        try:
            yield
        except BaseException:
            # A database that a fault has closed has rolled back already.
            with contextlib.suppress(duckdb.Error):
                self.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def make_table(self, name: str, select: str) -> None:
        """Makes an empty table with a select's columns, unless it is there; one that an earlier version made gets the
        columns that it lacks.

        DuckDB 2.0.0 reads nothing of a table that CREATE TABLE AS … LIMIT 0 made and more than a
        row group filled in one transaction (docs/duckdb-fault.md).
        """
        columns = [f'"{row[0]}" {row[1]}' for row in self.execute(f"DESCRIBE {select}").fetchall()]
        self.execute(f"CREATE TABLE IF NOT EXISTS {name} ({', '.join(columns)})")
        for column in columns:
            self.execute(f"ALTER TABLE {name} ADD COLUMN IF NOT EXISTS {column}")

    # Facts

    def make_stores(self) -> None:
        self.run_file("engines/duckdb.sql")
        self.show_lines(self.no_lines())
        self.execute(f"CREATE TABLE IF NOT EXISTS stored_archives ({ARCHIVES})")
        for name, select in dialect.lake_selects("facts").items():
            self.make_table(f"stored_{name}", select)

    def no_lines(self) -> str:
        columns = ", ".join(f'CAST(NULL AS {kind}) AS "{name}"' for name, kind in LINE_COLUMNS.items())
        return f"SELECT {columns}, '' AS file, '' AS archive_sha256 WHERE 1 = 0"

    def show_lines(self, select: str) -> None:
        """Makes the views from which facts are selected, over lines of decode with their archive_sha256."""
        self.execute(f"CREATE OR REPLACE TEMPORARY TABLE lines AS {select}")
        self.execute(
            "CREATE OR REPLACE TEMPORARY VIEW decoded AS SELECT lines.*, coalesce(lines.line > first.line, false)"
            " AS is_repeated FROM lines LEFT JOIN (SELECT archive_sha256, receipt.sha256 AS sha256, min(line) AS line"
            " FROM lines WHERE receipt.sha256 IS NOT NULL GROUP BY 1, 2) AS first"
            " ON first.archive_sha256 = lines.archive_sha256 AND first.sha256 = lines.receipt.sha256"
        )
        self.run_file("engines/duckdb-decoded.sql")

    def add_decoded(self, *paths: Name) -> int:
        """Takes the archives of files of decode's lines; how many are new or hold more lines."""
        return sum(self.add_together(together) for together in batches(list(dict.fromkeys(paths))))

    def add_together(self, paths: Sequence[Name]) -> int:
        """Takes files by one statement for each fact: a statement's start costs as much as a thousand lines, because
        a line has hundreds of members, each with its memory.
        """
        read = (
            f"SELECT * FROM read_json([{', '.join(map(quoted, paths))}], format = 'newline_delimited',"
            f" columns = {as_struct(LINE_COLUMNS)}, maximum_object_size = {longest_line(paths)}, filename = 'file')"
        )
        if len(paths) > 1 or names_archives(paths[0]):
            self.show_lines(f"SELECT *, archive.sha256 AS archive_sha256 FROM ({read})")
            if len(paths) > 1 and self.are_shared_archives():
                return sum(self.add_together([path]) for path in paths)
        else:
            # Lines of no archive are lines of the file that holds them.
            path = paths[0]
            sha256, size, name = digest(path), os.path.getsize(path), os.path.basename(path)
            self.show_lines(
                f"SELECT * REPLACE (row_number() OVER () AS line, true AS last,"
                f" {{'name': {quoted(name)}, 'sha256': '{sha256}', 'bytes': {size}}} AS archive),"
                f" '{sha256}' AS archive_sha256 FROM ({read})"
            )
        self.check_lines()
        self.execute(
            "CREATE OR REPLACE TEMPORARY TABLE arrived AS"
            " SELECT * FROM (SELECT archive_sha256 AS sha256, any_value(archive.name) AS name,"
            " any_value(archive.bytes) AS bytes, count(*) AS lines, coalesce(any_value(loaded.loaded_lines), 0)"
            " AS loaded_lines, CAST(coalesce(bool_or(last), false) AS INTEGER) AS complete FROM lines"
            " LEFT JOIN (SELECT archive_sha256, count(DISTINCT line) AS loaded_lines FROM decoded_documents"
            " WHERE receipt.sha256 IS NOT NULL GROUP BY 1) AS loaded USING (archive_sha256) GROUP BY 1) AS told"
            " WHERE NOT EXISTS (SELECT 1 FROM stored_archives AS known WHERE known.sha256 = told.sha256"
            " AND (known.complete = 1 OR known.lines > told.lines))"
        )
        self.expect(
            "SELECT archive_sha256, count(*) FILTER (receipt.sha256 IS NOT NULL),"
            " count(*) FILTER (rejection.reason IS NOT NULL), 0"
            " FROM decoded_documents WHERE archive_sha256 IN (SELECT sha256 FROM arrived) GROUP BY 1"
            " UNION ALL SELECT archive_sha256, 0, 0, coalesce(sum(len(purchases)), 0)"
            " FROM decoded_statements WHERE archive_sha256 IN (SELECT sha256 FROM arrived) GROUP BY 1"
        )
        again = self.execute("SELECT 1 FROM arrived JOIN stored_archives USING (sha256) LIMIT 1").fetchone()
        for name, select in dialect.lake_selects("facts").items():
            # Of an archive that lacked lines.
            if again:
                self.execute(f"DELETE FROM stored_{name} WHERE archive_sha256 IN (SELECT sha256 FROM arrived)")
            self.execute(
                f"INSERT INTO stored_{name} BY NAME SELECT * FROM ({select}) WHERE archive_sha256 IN (SELECT sha256 FROM arrived)"
            )
        self.execute(
            "CREATE OR REPLACE TEMPORARY TABLE settled AS SELECT arrived.sha256, arrived.name, arrived.bytes,"
            " arrived.lines, arrived.loaded_lines, arrived.complete, coalesce(known.first_loaded_at, now_ms()),"
            " CASE WHEN arrived.complete = 1 THEN now_ms() END, NULL"
            " FROM arrived LEFT JOIN stored_archives AS known ON known.sha256 = arrived.sha256"
        )
        self.execute("DELETE FROM stored_archives WHERE sha256 IN (SELECT sha256 FROM arrived)")
        return self.counted("INSERT INTO stored_archives SELECT * FROM settled")

    def are_shared_archives(self) -> bool:
        """Whether several files hold lines of one archive: the later ones count if they hold more of them."""
        shared = "SELECT 1 FROM lines GROUP BY archive_sha256 HAVING count(DISTINCT file) > 1 LIMIT 1"
        return self.execute(shared).fetchone() is not None

    def check_lines(self) -> None:
        other = self.execute(
            f'SELECT file, "schema" FROM lines WHERE "schema" IS NULL OR "schema" NOT IN {decoded.SCHEMAS} LIMIT 1'
        ).fetchone()
        if other:
            raise BadInput(f"{other[0]}: schema is {other[1]}, and {decoded.SCHEMAS} are what is read here")
        gap = self.execute(
            "SELECT any_value(file), any_value(archive.name), count(*), min(line), max(line) FROM lines"
            " GROUP BY archive_sha256 HAVING archive_sha256 IS NULL OR min(line) <> 1 OR max(line) <> count(*)"
            " OR count(DISTINCT line) <> count(*) LIMIT 1"
        ).fetchone()
        if gap:
            raise BadInput(f"{gap[0]}: of archive {gap[1]} there are {gap[2]} lines, numbered {gap[3]} to {gap[4]}")
        hollow = self.execute(
            "SELECT file, archive.name, line FROM lines"
            " WHERE (receipt.sha256 IS NULL) = (rejection.reason IS NULL) ORDER BY file, line LIMIT 1"
        ).fetchone()
        if hollow:
            raise BadInput(f"{hollow[0]}: line {hollow[2]} of archive {hollow[1]} holds neither receipt nor rejection")

    def add_parquet(self, lake: Name) -> int:
        """Takes the archives that a night's run on Spark has committed; how many are new."""
        columns = ", ".join(part.split()[0] for part in ARCHIVES.split(", "))
        self.execute(
            f"CREATE OR REPLACE TEMPORARY TABLE arrived AS SELECT {columns} FROM"
            f" read_parquet({quoted(f'{lake}/archives/*.parquet')})"
            " WHERE sha256 NOT IN (SELECT sha256 FROM stored_archives)"
        )
        for name in FACTS:
            pattern = f"{lake}/{name}/*/*.parquet"
            if not self.counted("SELECT count(*) FROM glob(?)", [pattern]):
                continue
            # Nights of an earlier version know fewer columns.
            arrived = (
                f"FROM read_parquet({quoted(pattern)},"
                " hive_partitioning = true, hive_types = {'archive_sha256': VARCHAR}, union_by_name = true)"
                " WHERE archive_sha256 IN (SELECT sha256 FROM arrived)"
            )
            if name in HELD:
                counts = ", ".join("count(*)" if name == held else "0" for held in HELD)
                self.expect(f"SELECT archive_sha256, {counts} {arrived} GROUP BY 1")
            self.execute(f"INSERT INTO stored_{name} BY NAME SELECT * {arrived}")
        return self.counted("INSERT INTO stored_archives SELECT * FROM arrived")

    def expect(self, counts: str) -> None:
        """Notes how many rows of each fact in HELD arrive, by archive."""
        for archive, *rows in self.execute(counts).fetchall():
            known = self.expected.setdefault(archive, [0] * len(HELD))
            self.expected[archive] = [before + more for before, more in zip(known, rows)]

    def hold(self, expected: Mapping[str, list[int]]) -> None:
        """Holds the file against what arrived, and its merged tables against the facts of that."""
        arrived = f"archive_sha256 IN ({', '.join(map(quoted, expected)) or 'NULL'})"
        for place, name in enumerate(HELD):
            counts = f"SELECT archive_sha256, count(*) FROM stored_{name} WHERE {arrived} GROUP BY 1"
            found = dict(self.execute(counts).fetchall())
            for archive, rows in expected.items():
                if found.get(archive, 0) != rows[place]:
                    raise BadBuild(f"{found.get(archive, 0)} of {rows[place]} {name} of archive {archive}")
        for name, (told, key, facts) in MERGED.items():
            facts = f"{facts} {'AND' if 'WHERE' in facts else 'WHERE'} {arrived}"
            missing, rows = self.only(
                f"SELECT count(*) FILTER (NOT found), count(*) FROM (SELECT told IN (SELECT ({key}) FROM {name}) AS found"
                f" FROM (SELECT DISTINCT ({told}) AS told FROM {facts}) AS stated) AS looked_up"
            )
            if missing:
                raise BadBuild(f"{rows - missing} of {rows} rows of the table {name}")

    # Tables and views

    def make_tables(self, receiptmill: Name | None, options: Sequence[str]) -> bool:
        """Brings the loader's tables up to date; whether all were merged anew, and not a night's part."""
        selects = dialect.loaded_selects()
        for name in ("receipts", "purchases"):
            self.execute(f"DROP TABLE IF EXISTS reviewed_{name}")
            self.make_table(f"reviewed_{name}", f"SELECT * FROM stored_{name}")
        for name in dialect.in_order(selects):
            self.execute(f"CREATE OR REPLACE VIEW {name} AS {selects[name]}")
        self.review(receiptmill, options)
        merging = Merging(self.connection)
        whole = merging.merge()
        for name, select in dialect.lake_selects("tables").items():
            if name in NOT_MERGED:
                # Of a table the planner knows how many rows there are, and not of a view that leaves some out.
                merging.drop_view(name)
                self.execute(f"CREATE OR REPLACE {'TABLE' if name == 'archive' else 'VIEW'} {name} AS {select}")
        return whole

    def make_views(self, settings_database: Name | None, progress: Progress | None = None) -> None:
        """Works the models out of the loader's tables, and lays the contract's views over both."""
        told = settings(settings_database)
        for name, rows in [*told.items(), *seeds.rows(time_zone(told)).items()]:
            self.make_known(name, (TABLES | seeds.COLUMNS)[name], rows)
        # Tables have no statistics in the transaction that fills them. Without statistics, DuckDB may join by app first,
        # which makes millions of rows of thousands. The joins are written in an order that starts with few rows.
        self.execute("SET disabled_optimizers = 'join_order'")
        statements = dialect.views(dialect.DUCKDB)
        # Views that another version made, and this one does not know.
        for (name,) in self.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
            if name.startswith(("internal_", "model_")) and name not in statements:
                self.execute(f'DROP VIEW "{name}"')
        for done, (name, statement) in enumerate(statements.items()):
            if progress:
                progress.at(f"models and views, {done} of {len(statements)} done: {name}")
            self.execute(statement)
        self.execute("RESET disabled_optimizers")

    def make_known(self, name: str, columns: Mapping[str, decoded.Kind], rows: Sequence[Sequence[Any]]) -> None:
        """Replaces a table by one with these rows."""
        typed = ", ".join(f"{column} {decoded.duckdb_type(kind)}" for column, kind in columns.items())
        self.execute(f"CREATE OR REPLACE TABLE {name} ({typed})")
        if rows:
            # A list for each column: DuckDB reads a long VALUES sixty times as slowly.
            lists = [list(values) for values in zip(*rows)]
            self.execute(f"INSERT INTO {name} SELECT {', '.join('unnest(?)' for _ in lists)}", lists)

    def review(self, receiptmill: Name | None, options: Sequence[str]) -> None:
        """Verifies transaction receipts again with all issuers that receipts carry."""
        octets = [row[0] for row in self.execute("SELECT octets FROM reviewable_receipts ORDER BY 1").fetchall()]
        issuers = [
            row[0] for row in self.execute("SELECT DISTINCT certificate FROM loaded_issuers ORDER BY 1").fetchall()
        ]
        if not octets or not issuers:
            return
        if not receiptmill:
            raise BadInput(
                f"{len(octets)} transaction receipts lacked an issuer that other receipts carry: to verify them again,"
                " name the program by --receiptmill, and its --trust by --option"
            )
        with tempfile.TemporaryDirectory() as folder:
            command = [os.fspath(receiptmill), "decode", "-", *options]
            for number, certificate in enumerate(issuers):
                path = Path(folder, f"{number}.der")
                path.write_bytes(base64.b64decode(certificate))
                command += ["--intermediate", str(path)]
            answers = Path(folder, "answers.jsonl")
            with open(answers, "wb") as output:
                subprocess.run(command, input="".join(f"{one}\n" for one in octets).encode(), stdout=output, check=True)
            self.show_lines(
                "SELECT * REPLACE (row_number() OVER () AS line), '' AS archive_sha256 FROM"
                f" read_json({quoted(answers)}, format = 'newline_delimited', columns = {as_struct(LINE_COLUMNS)})"
            )
            selects = dialect.lake_selects("facts")
            for name in ("receipts", "purchases"):
                self.execute(f"INSERT INTO reviewed_{name} BY NAME {selects[name]}")

    def rows(self, found: Report, given: Mapping[str, str | None]) -> tuple[list[str], list[tuple[Any, ...]]]:
        """A report's column names and rows."""
        # DuckDB writes parameters as $name.
        statement = re.sub(r"(?<![\w':]):([a-z_]+)", r"$\1", dialect.with_keys(found.statement))
        cursor = self.execute(statement, found.values(given))
        columns = [str(column[0]) for column in cursor.description or []]
        return found.answer(columns, cursor.fetchall(), given)


def quoted(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def as_struct(columns: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{quoted(name)}: {quoted(kind)}" for name, kind in columns.items()) + "}"


def opened(path: Name) -> IO[bytes]:
    return gzip.open(path, "rb") if str(path).endswith(".gz") else open(path, "rb")  # type: ignore[return-value]


def names_archives(path: Name) -> bool:
    with opened(path) as file:
        return b'"archive":{' in file.readline(4096)


def batches(paths: Iterable[Name]) -> Iterator[list[Name]]:
    """Files in the given order, as many together as TAKEN_TOGETHER allows; one whose lines name no archive is alone."""
    together: list[Name] = []
    size = 0
    for path in paths:
        is_named = names_archives(path)
        adds = os.path.getsize(path) * (COMPRESSED if str(path).endswith(".gz") else 1)
        if together and (not is_named or size + adds > TAKEN_TOGETHER):
            yield together
            together, size = [], 0
        if is_named:
            together.append(path)
            size += adds
        else:
            yield [path]
    if together:
        yield together


def longest_line(paths: Iterable[Name]) -> int:
    """Bytes that no line of these files exceeds."""
    sizes = [LONGEST_LINE if str(path).endswith(".gz") else os.path.getsize(path) for path in paths]
    return min(LONGEST_LINE, max([SHORTEST_BUFFERED, *sizes]))


def digest(path: Name) -> str:
    sha256 = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            sha256.update(chunk)
    return sha256.hexdigest()
