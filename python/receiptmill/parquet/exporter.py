"""Views and reports of a database as Parquet, for warehouses. Every export replaces only the files that differ."""

from __future__ import annotations

import bisect
import contextlib
import datetime
import decimal
import fcntl
import hashlib
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pyarrow
import pyarrow.parquet

from ..lake.sql_folder import SQL
from .faults import BAD_DATA, CANNOT_CREATE, NO_INPUT, OF_ITS_RELEASE, TRY_LATER, Fault

# Of the file's header, as sql/schema/ sets it.
APPLICATION_ID = 0x52634D6C

# The views that docs/data-model.md promises to keep, and what tells of the runs by which the parts are named.
VIEWS = (
    "archives rejections submissions receipts purchases claimed_purchases receipt_purchases receipt_parts renewals"
    " notifications purchase_items external_purchase_tokens realtime_requests unknown_members entitlements"
    " subscription_periods app_owners fraud_signals store_sales store_rows runs"
).split()

# Rows of SQLite's that are Python's objects at once, and rows in a row group.
BATCH, ROW_GROUP = 4096, 65536
FORMAT = 1
MANIFEST, STATE, STAGING = "export.json", ".export", ".staging"
# File systems count time in steps: files that changed within the last two seconds may change and look the same.
SETTLED = 2_000_000_000

TIME = pyarrow.timestamp("ms", tz="UTC")
# Text that the unit of a column says more of, and the other types of the catalog.
BY_UNIT = {"time": TIME, "date": pyarrow.date32()}
BY_TYPE = {
    "INTEGER": pyarrow.int64(),
    "REAL": pyarrow.float64(),
    "TEXT": pyarrow.string(),
    "ANY": pyarrow.string(),
}
# Amounts of reports: thousandths of a currency that SQLite sums have 19 digits.
MONEY, MONEY_UNIT = pyarrow.decimal128(19, 3), "currency"
BY_FIELD = {
    "string": pyarrow.string(),
    "integer": pyarrow.int64(),
    "number": pyarrow.float64(),
    "date": pyarrow.date32(),
    "yearmonth": pyarrow.string(),
    "datetime": TIME,
}

# Views with a part for each run, their rows in the order of the runs; the last column is what run_of takes.
RECEIPT = (
    "LEFT JOIN receipt_digest AS known ON known.sha256 = export_bytes(stated.receipt_sha256)"
    " ORDER BY known.receipt_id"
)
BY_RUN = {
    "submissions": "SELECT stated.*, placed.run_id FROM submissions AS stated LEFT JOIN temp.export_archives AS placed"
    " ON placed.archive_id = substr(stated.submission_id, 1, 16)"
    " ORDER BY placed.run_id, placed.archive_id, stated.line, stated.submission_id",
    "receipts": f"SELECT stated.*, known.receipt_id FROM receipts AS stated {RECEIPT}",
    "receipt_purchases": f"SELECT stated.*, known.receipt_id FROM receipt_purchases AS stated {RECEIPT},"
    " stated.transaction_id",
    "receipt_parts": f"SELECT stated.*, known.receipt_id FROM receipt_parts AS stated {RECEIPT}, stated.part",
}


Row = tuple[Any, ...]


@dataclass
class Order:
    """What an export is asked to do."""

    database: Path
    folder: Path
    views: Sequence[str]
    reports: Sequence[str]
    receiptmill: str
    sql: Path | None = None
    quiet: bool = False


def description(view: str) -> str:
    """What a row of a view is: the comment that its file begins with, until it comes to columns."""
    lines = itertools.takewhile(lambda line: line.startswith("--"), (SQL / "views" / f"{view}.sql").read_text().splitlines())
    return " ".join(line[2:].strip() for line in itertools.takewhile(lambda line: line != "-- Columns:", lines)).strip()


class Reader:
    """One state of a database, whatever is written to it meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        self.execute("PRAGMA cache_size = -4096")
        self.execute("BEGIN")
        self.schema = self.known_schema()
        self.version = self.execute("PRAGMA data_version").fetchone()[0]

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        return self.connection.execute(statement, values)

    def known_schema(self) -> str:
        steps = [*(SQL / "schema").glob("v*.sql"), *(SQL / "migrations").glob("v*.sql")]
        known = max(int(step.stem[1:]) for step in steps)
        if self.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise Fault(CANNOT_CREATE, f"{self.path}: no database of receiptmill", "name the file that receiptmill ingest wrote")
        found = self.execute("PRAGMA user_version").fetchone()[0]
        if found != known:
            raise Fault(CANNOT_CREATE, f"{self.path}: the schema is {found}, and {known} is known here", OF_ITS_RELEASE)
        return f"v{known}"

    def identity(self) -> str:
        """The same for every copy of a database, and tells nothing of what it holds."""
        seed = self.execute("SELECT seed FROM tag_seed").fetchone()[0]
        return hashlib.sha256(f"receiptmill export {seed}".encode()).hexdigest()[:16]

    def runs(self) -> list[dict[str, Any]]:
        runs = [
            dict(zip(("run_id", "ended_at", "outcome"), row))
            for row in self.execute("SELECT run_id, ended_at, outcome FROM runs ORDER BY run_id")
        ]
        for run in runs:
            if run["outcome"] == "running":
                raise Fault(
                    TRY_LATER,
                    f"{self.path}: run {run['run_id']} is at work, or was killed",
                    "export when it has ended; the next run ends one that was killed",
                )
        return runs

    def place(self) -> None:
        """Makes what finds the run of a row."""
        self.connection.create_function("export_bytes", 1, bytes.fromhex, deterministic=True)
        self.execute(
            "CREATE TEMP TABLE export_archives AS SELECT lower(substr(hex(sha256), 1, 16)) AS archive_id,"
            " coalesce((SELECT max(run_id) FROM run WHERE started_at <= first_loaded_at),"
            " (SELECT min(run_id) FROM run), 0) AS run_id FROM archive"
        )
        self.execute("CREATE UNIQUE INDEX temp.export_archive ON export_archives (archive_id)")
        # The first receipt of a run is behind the last one before it; of runs with the same, the last one has it.
        starts = self.execute("SELECT last_receipt, max(run_id) FROM run GROUP BY last_receipt ORDER BY 1").fetchall()
        self.starts, self.run_ids = [row[0] for row in starts], [0, *(row[1] for row in starts)]

    def run_of(self, view: str, number: int | None) -> int:
        if number is None:
            raise Fault(
                BAD_DATA,
                f"{self.path}: {view} has a row of no known {'archive' if view == 'submissions' else 'receipt'}",
                f"receiptmill check --database {self.path} says what is damaged",
            )
        return number if view == "submissions" else int(self.run_ids[bisect.bisect_left(self.starts, number)])

    def schema_of(self, view: str) -> pyarrow.Schema:
        found = [row[0] for row in self.execute("SELECT name FROM pragma_table_info(?)", (view,))]
        columns = self.execute('SELECT "column", type, unit, meaning FROM catalog WHERE object = ? ORDER BY rowid', (view,)).fetchall()
        if not found or found != [column[0] for column in columns]:
            raise Fault(CANNOT_CREATE, f"{self.path}: {view} has other columns than the table catalog", OF_ITS_RELEASE)
        fields = [field(name, BY_UNIT.get(unit) or BY_TYPE[kind], meaning, unit) for name, kind, unit, meaning in columns]
        return pyarrow.schema(fields, {"view": view, "description": description(view)})

    def parts(self, view: str) -> Iterable[tuple[int | None, Iterable[Row]]]:
        """The run and the rows of each part; None for the run where the view is one part."""
        if view not in BY_RUN:
            # Identifiers of transactions are numbers and text in one column, where a view has them as tables do.
            declared = self.execute(f"SELECT name, type FROM pragma_table_info('{view}')").fetchall()
            columns = ", ".join(f"CAST({name} AS TEXT)" if plain(kind) == "ANY" else name for name, kind in declared)
            return [(None, self.execute(f"SELECT {columns} FROM {view}"))]
        return itertools.groupby(self.execute(BY_RUN[view]), lambda row: self.run_of(view, row[-1]))


def plain(declared: str) -> str:
    """A declared type as a view has it, whether its rows are kept in a table or not."""
    return declared.removesuffix("_BLOB")


def field(name: str, kind: pyarrow.DataType, description: str, unit: str | None) -> pyarrow.Field:
    told = {"description": description} | ({"unit": unit} if unit else {})
    return pyarrow.field(name, kind, metadata=told)


def kind_of(told: Mapping[str, Any]) -> pyarrow.DataType:
    """The type of a report's column. Amounts stay exact."""
    return MONEY if told.get("unit") == MONEY_UNIT and told["type"] == "number" else BY_FIELD[told["type"]]


def array(values: Sequence[Any], kind: pyarrow.DataType, where: str) -> pyarrow.Array:
    try:
        if kind == pyarrow.float64():
            values = [float(value) if isinstance(value, decimal.Decimal) else value for value in values]
        if kind == TIME or kind == pyarrow.date32():
            return pyarrow.array(values, pyarrow.string()).cast(kind)
        return pyarrow.array(values, kind)
    except (pyarrow.ArrowException, TypeError, ValueError) as error:
        raise Fault(
            BAD_DATA,
            f"{where}: not every value is of type {kind}: {error}",
            "report it as a fault, or leave the view or report out",
        ) from None


def record_batches(rows: Iterable[Row], schema: pyarrow.Schema, where: str) -> Iterator[pyarrow.RecordBatch]:
    left = iter(rows)
    while batch := list(itertools.islice(left, BATCH)):
        yield pyarrow.record_batch(
            [array(values, one.type, f"{where}.{one.name}") for one, values in zip(schema, zip(*batch))], schema=schema
        )


class Staging:
    """Files of the export that a reader does not see yet."""

    def __init__(self, folder: Path, known: Mapping[str, Any]) -> None:
        self.folder, self.place, self.known = folder, folder / STAGING, known
        self.files: dict[str, dict[str, Any]] = {}
        self.changed: dict[str, Path] = {}

    def __enter__(self) -> Staging:
        self.place.mkdir()
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.place, ignore_errors=True)

    def write(self, path: str, schema: pyarrow.Schema, rows: Iterable[Row], where: str, run: int | None = None) -> None:
        """Writes rows, and forgets them where the file that is there has the same."""
        staged, count = self.place / str(len(self.files)), 0
        with open(staged, "wb") as file:
            with pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
                waiting: list[pyarrow.RecordBatch] = []
                for batch in record_batches(rows, schema, where):
                    waiting.append(batch)
                    count += batch.num_rows
                    if sum(one.num_rows for one in waiting) >= ROW_GROUP:
                        writer.write_table(pyarrow.Table.from_batches(waiting))
                        waiting = []
                if waiting:
                    writer.write_table(pyarrow.Table.from_batches(waiting))
            file.flush()
            os.fsync(file.fileno())
        told = {"rows": count, "bytes": staged.stat().st_size, "sha256": digest(staged)}
        self.files[path] = told | ({} if run is None else {"run": run})
        if self.known.get(path) == self.files[path] and size(self.folder / path) == told["bytes"]:
            staged.unlink()
        else:
            self.changed[path] = staged

    def publish(self, known: Mapping[str, Any], manifest: Mapping[str, Any]) -> bool:
        """Puts the files in their places; what the manifest says holds whenever this ends."""
        if not self.changed and known == manifest:
            return False
        gone = [path for path in known.get("files", {}) if path not in self.files]
        # The next export does not rely on files that may or may not be in their places.
        unsure = {path: {**{**known.get("files", {}), **self.files}[path], "sha256": None} for path in [*self.changed, *gone]}
        write_json(self.folder / MANIFEST, {**manifest, "files": dict(sorted((self.files | unsure).items()))})
        for path, staged in self.changed.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, self.folder / path)
        for path in gone:
            (self.folder / path).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                for parent in Path(path).parents[:-1]:
                    (self.folder / parent).rmdir()
        write_json(self.folder / MANIFEST, manifest)
        return True


class Export:
    def __init__(self, given: Order) -> None:
        self.given, self.folder = given, given.folder

    def run(self) -> None:
        if not self.given.database.is_file():
            raise Fault(NO_INPUT, f"{self.given.database}: there is no such file", "name a database of receiptmill's")
        known = self.manifest()
        with self.lock() as state:
            # What another export has just written counts.
            known = self.manifest()
            source = self.source()
            if source and source == state.read() and all(
                told["sha256"] and size(self.folder / path) == told["bytes"]
                for path, told in known.get("files", {}).items()
            ):
                self.say("nothing has changed")
                return
            with Reader(self.given.database) as reader, Staging(self.folder, known.get("files", {})) as staging:
                manifest = self.stage(reader, known, staging)
                differs = staging.publish(known, manifest)
                rows = sum(told["rows"] for told in staging.files.values())
                self.say(
                    f"{rows} rows in {len(staging.files)} files, {len(staging.changed)} of them written"
                    if differs
                    else "nothing has changed"
                )
            state.write(source)

    def say(self, text: str) -> None:
        if not self.given.quiet:
            print(text, file=sys.stderr)

    def manifest(self) -> dict[str, Any]:
        path = self.folder / MANIFEST
        try:
            known: dict[str, Any] = json.loads(path.read_text())
            if known["format"] == FORMAT:
                return known
        except FileNotFoundError:
            if self.folder.exists() and set(os.listdir(self.folder)) - {STATE, STAGING, f"{MANIFEST}.new"}:
                raise Fault(
                    CANNOT_CREATE, f"{self.folder}: holds something else", "name an empty folder, or one that is not there"
                ) from None
            return {}
        except (ValueError, KeyError, TypeError):
            pass
        raise Fault(CANNOT_CREATE, f"{path}: is no manifest of this version", "name an empty folder, and export all anew")

    @contextlib.contextmanager
    def lock(self) -> Iterator[State]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / STATE, "a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Fault(TRY_LATER, f"{self.folder}: another export is at work", "run this one when it has ended") from None
            shutil.rmtree(self.folder / STAGING, ignore_errors=True)
            yield State(file)

    def source(self) -> dict[str, Any] | None:
        """What changes whenever the database may have; None where that can't be told."""
        now, files = time.time_ns(), []
        for path in (self.given.database, Path(f"{self.given.database}-wal")):
            with contextlib.suppress(FileNotFoundError):
                found = path.stat()
                if now - found.st_mtime_ns < SETTLED:
                    return None
                if found.st_size:
                    files.append([found.st_ino, found.st_size, found.st_mtime_ns])
        if self.given.sql:
            return None
        mill = shutil.which(self.given.receiptmill) if self.given.reports else None
        asked = [self.given.views, self.given.reports, mill and os.stat(mill).st_mtime_ns, pyarrow.__version__]
        # The view submissions asks for the time: a volume purchase expires. Reports may, too.
        day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        return {"files": files, "asked": asked, "day": day, "code": digest(Path(__file__))}

    def stage(self, reader: Reader, known: dict[str, Any], staging: Staging) -> dict[str, Any]:
        runs, identity = reader.runs(), reader.identity()
        if known and known["database"] != identity:
            raise Fault(
                CANNOT_CREATE, f"{self.folder}: holds the export of another database", "name another folder for this one"
            )
        reader.place()
        for view in self.given.views:
            schema, parts = reader.schema_of(view), 0
            for run, rows in reader.parts(view):
                path = f"views/{view}/part-0.parquet" if run is None else f"views/{view}/run={run}/part-0.parquet"
                staging.write(path, schema, rows, view, run)
                parts += 1
            if not parts:
                # Readers want a file even where there is no row.
                staging.write(f"views/{view}/run=0/part-0.parquet", schema, [], view, 0)
        for report in self.given.reports:
            self.stage_report(report, staging)
        reader.execute("COMMIT")
        if self.given.reports and reader.execute("PRAGMA data_version").fetchone()[0] != reader.version:
            raise Fault(
                TRY_LATER,
                f"{self.given.database}: changed while reports were made, so that they may not fit the views",
                "run the export again when no run is at work",
            )
        manifest = {
            "format": FORMAT,
            "database": identity,
            "schema": reader.schema,
            "exported_at": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "runs": runs,
            "files": dict(sorted(staging.files.items())),
        }
        same = known | {"exported_at": manifest["exported_at"]} == manifest and not staging.changed
        return known if same else manifest

    def stage_report(self, name: str, staging: Staging) -> None:
        with tempfile.NamedTemporaryFile(dir=staging.place) as described:
            command = [self.given.receiptmill, "report", name, "--database", str(self.given.database)]
            command += ["--format", "jsonl", "--schema", described.name]
            command += ["--sql", str(self.given.sql)] if self.given.sql else []
            answers = Path(f"{described.name}.jsonl")
            try:
                done = subprocess.run([*command, "--output", str(answers)], check=False).returncode
            except OSError as error:
                raise Fault(
                    NO_INPUT, f"{self.given.receiptmill}: {error.strerror}", "name the program by --receiptmill"
                ) from None
            if done:
                raise Fault(done if done > 0 else TRY_LATER, f"report {name}: failed", "nothing was exported; see above")
            # The program puts another file in the place of this one.
            told = json.loads(Path(described.name).read_text())
        fields = [field(one["name"], kind_of(one), one["description"], one.get("unit")) for one in told["fields"]]
        about = {"report": name, "title": told["title"], "description": told["description"]}
        with open(answers, encoding="utf-8") as lines:
            told_exactly = (json.loads(line, parse_float=decimal.Decimal) for line in lines)
            rows = (tuple(row[one.name] for one in fields) for row in told_exactly)
            staging.write(f"reports/{name}/part-0.parquet", pyarrow.schema(fields, about), rows, name)
        answers.unlink()


class State:
    """What the last export found, in the file that is locked; unreadable is the same as none."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def read(self) -> object:
        self.file.seek(0)
        try:
            return json.loads(self.file.read())
        except ValueError:
            return None

    def write(self, source: object) -> None:
        self.file.truncate(0)
        self.file.write(json.dumps(source))


def digest(path: Path) -> str:
    sha256 = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            sha256.update(chunk)
    return sha256.hexdigest()


def size(path: Path) -> int | None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return path.stat().st_size
    return None


def write_json(path: Path, value: object) -> None:
    """There whole, or as it was."""
    fresh = path.with_name(f"{path.name}.new")
    with open(fresh, "w") as file:
        file.write(json.dumps(value, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
