"""The two engines under test, each driven as a user drives it, and then asked through the same modules."""

import gc
import gzip
import os
import shlex
import subprocess
import sys
from pathlib import Path

from intake import APPS, ROOT

PIPELINES = ROOT / "pipelines"
sys.path[:0] = [str(ROOT / "python")]

# With daylight saving, and days that begin late in those of UTC.
ZONE = "America/Los_Angeles"

# Exit statuses of a night, as receiptmill has them.
DONE, DAMAGED = 0, 65

# A few rows in many small queries: compiling each, or Spark itself, would take longer than running it.
# By default, the code cache of this compiler is full after a minute, and nothing more is compiled.
UNCOMPILED = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"
SMALL_SPARK = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # What is told of queries that are over, and the least that a broadcast table takes, would fill the driver's heap.
    "spark.sql.ui.retainedExecutions": "1",
    "spark.buffer.pageSize": "256k",
    "spark.executor.extraJavaOptions": UNCOMPILED,
}


class SQLite:
    """What the others are held against: `ingest`, night by night."""

    def __init__(self, mill, intake, folder):
        import sqlite3

        self.path = folder / "mill.sqlite"
        for archives in (intake.first, intake.second):
            command = [mill, "ingest", *archives, "--database", self.path, "--quiet", *intake.trust]
            for app in APPS:
                command += ["--app", app]
            expect(command, 0, 65)
        self.connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
        prices = folder / "prices.csv"
        prices.write_text(price_list(row[0] for row in self.connection.execute("SELECT product_id FROM product")))
        expect([mill, "store-reports", *intake.report_files, "--database", self.path, "--quiet"], 0, 65)
        expect([mill, "refresh", "--database", self.path, "--quiet", "--time-zone", ZONE, "--prices", prices], 0)

    def view(self, name, columns, keys=()):
        shown = [f"CAST({column} AS TEXT)" if column in keys else column for column in columns]
        return self.connection.execute(f"SELECT {', '.join(shown)} FROM {name}").fetchall()

    def columns(self, name):
        return [column[0] for column in self.connection.execute(f"SELECT * FROM {name} LIMIT 0").description]

    def report(self, found, given):
        cursor = self.connection.execute(found.statement, found.values(given))
        columns = [column[0] for column in cursor.description]
        return found.answer(columns, cursor.fetchall(), given)


class DuckDB:
    def __init__(self, mill, intake, folder, settings, lake=None):
        from receiptmill.duckdb import Warehouse

        database = folder / ("from-lake.duckdb" if lake else "decoded.duckdb")
        build = [sys.executable, PIPELINES / "duckdb/warehouse.py", "build", database]
        options = ["--settings", settings, "--receiptmill", mill, *(f"--option={word}" for word in intake.trust)]
        if lake:
            expect([*build, "--parquet", lake, *options], 0)
        else:
            files = [decoded(mill, intake, folder, night) for night in ("first", "second")]
            expect([*build, files[0], *options], 0)
            # All that there is, again and new, in one go.
            expect([*build, *files, *options], 0)
        self.warehouse = Warehouse(database, read_only=True)

    def view(self, name, columns, keys=()):
        return self.warehouse.execute(f"SELECT {', '.join(keys_as_text(columns, keys))} FROM {name}").fetchall()

    def report(self, found, given):
        return self.warehouse.rows(found, given)


def price_list(products):
    """Prices that change, and two currencies from a day on: from there nothing tells which one was paid."""
    lines = ["product_id,currency,price,introductory_price,valid_from"]
    for product in products:
        if ".pro." in product:
            lines.append(f"{product},USD,1.99,0.99,")
        if product.endswith(".monthly"):
            lines.append(f"{product},USD,2.99,,2024-07-01")
        if product.endswith(".yearly"):
            lines.append(f"{product},EUR,2.49,,2025-03-30")
    return "\n".join(lines) + "\n"


def keys_as_text(columns, keys):
    """What identifies transactions in a lake as SQLite writes it."""
    return [f"transaction_text({column})" if column in keys else column for column in columns]


def decoded(mill, intake, folder, night):
    """A night's archives through decode, one file of its lines."""
    path = folder / f"{night}.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as output:
        for archive in getattr(intake, night):
            done = subprocess.run([mill, "decode", archive, *intake.trust], capture_output=True, check=False)
            if done.returncode not in (0, 65):
                raise SystemExit(f"decode {archive.name}: status {done.returncode}: {done.stderr.decode()}")
            output.write(done.stdout)
    return path


class Lake:
    """A lake on a small Spark, whose reports are asked for when its nights are over."""

    def __init__(self, folder, settings, master, trust=()):
        from receiptmill.spark.session import make_session

        options = ["--driver-java-options", UNCOMPILED]
        for name, value in SMALL_SPARK.items():
            options += ["--conf", f"{name}={value}"]
        os.environ["PYSPARK_SUBMIT_ARGS"] = shlex.join([*options, "pyspark-shell"])
        os.environ["PYSPARK_PYTHON"] = sys.executable
        self.lake, self.settings, self.trust = folder / "lake", settings, trust
        self.session = make_session("compare", master)

    def night(self, program, archives, status):
        from receiptmill.spark.nights import Night, Order

        ended = Night(
            self.session,
            Order(
                lake=str(self.lake),
                archives=[str(path) for path in archives],
                receiptmill=str(program),
                settings=self.settings,
                decode=[str(word) for word in self.trust],
            ),
        ).run()
        if ended != status:
            raise SystemExit(f"the night ended with status {ended} instead of {status}")

    def show(self):
        from receiptmill.spark.reporting import show_reports

        show_reports(self.session, str(self.lake))

    def view(self, name, columns, keys=()):
        gc.collect()  # Of plans that Java keeps for Python.
        shown = ", ".join(keys_as_text(columns, keys))
        return [tuple(row) for row in self.session.sql(f"SELECT {shown} FROM {name}").collect()]

    def report(self, found, given):
        from receiptmill.spark.reporting import rows

        gc.collect()
        return rows(self.session, found, given)


class Spark(Lake):
    """The night's job: where a victim is named, the first night loses it on the way; each night is run once too often."""

    def __init__(self, mill, intake, folder, settings, master, victims=()):
        super().__init__(folder, settings, master, intake.trust)
        self.intake = intake
        program = mill
        for victim in victims:
            program = dying(program, folder, victim)
        self.night(program, intake.first, DONE)
        for victim in victims:
            if not (folder / f"{victim}-died").exists():
                raise SystemExit(f"nothing was killed: {victim}")
            print(f"{master}: {victim} was killed in the middle of a stage, and the night ended well", flush=True)
        self.night(mill, intake.archives, DAMAGED)
        before = self.files()
        self.night(mill, intake.archives, DONE)
        if self.files() != before:
            raise SystemExit("a night that was run again changed the lake")
        self.check_client(folder)
        self.show()

    def check_client(self, folder):
        """Hadoop's own client gives an archive's bytes, whatever its name."""
        from receiptmill.spark import archives

        path = folder / "odd [name] 100%20.gz"
        path.write_bytes(self.intake.first[0].read_bytes())
        with archives.Source({"fs.defaultFS": "file:///"}).through_client(f"file:{path}") as file:
            content = file.read()
        if content != path.read_bytes():
            raise SystemExit("Hadoop's client gives other bytes than the file's")

    def files(self):
        return sorted(str(path) for path in self.lake.rglob("*.parquet"))


def dying(program, folder, victim):
    """A program that stands in for receiptmill, see kill-once.sh."""
    command = [ROOT / "Tests/Engines/kill-once.sh", program, folder / f"{victim}-died", victim]
    path = folder / f"dying-{victim}"
    path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    path.chmod(0o755)
    return path


def expect(command, *statuses):
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in statuses:
        said = (done.stdout + done.stderr)[-4000:]
        raise SystemExit(f"status {done.returncode} instead of {statuses}: {' '.join(command)}\n{said}")
