"""The two engines under test, each driven as a user drives it, and then asked through the same modules."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

from intake import APPS, ROOT

PIPELINES = ROOT / "pipelines"
sys.path[:0] = [str(PIPELINES), str(PIPELINES / "spark"), str(PIPELINES / "duckdb")]

LOCAL_SPARK = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.log.level": "ERROR",
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

    def view(self, name, columns):
        return self.connection.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall()

    def columns(self, name):
        return [column[0] for column in self.connection.execute(f"SELECT * FROM {name} LIMIT 0").description]

    def report(self, found, given):
        cursor = self.connection.execute(found.statement, found.values(given))
        return [column[0] for column in cursor.description], cursor.fetchall()


class DuckDB:
    def __init__(self, mill, intake, folder, settings, lake=None):
        from warehouse import Warehouse

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

    def view(self, name, columns):
        return self.warehouse.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall()

    def report(self, found, given):
        return self.warehouse.rows(found, given)


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


class Spark:
    """The night's job, killed on the way if a victim is named, then run for each night, and once too often."""

    def __init__(self, mill, intake, folder, settings, master, victims=()):
        self.lake = folder / "lake"
        first = [str(path) for path in intake.first]
        for victim in victims:
            program = folder / f"dying-{victim}"
            mark = folder / f"{victim}-has-died"
            script = subprocess.run(
                [ROOT / "Tests/Engines/kill-once.sh", mill, mark, victim], check=True, capture_output=True, text=True
            ).stdout
            program.write_text(script)
            program.chmod(0o755)
            # In local mode the job itself is what dies; the next run has to mend it.
            dies = victim == "jvm" and master.startswith("local[")
            self.night(program, first, intake, master, 1 if dies else 0)
            if not mark.exists():
                raise SystemExit(f"nothing was killed: {victim}")
            print(f"killed {victim} on {master} in the middle of a stage", flush=True)
        self.night(mill, first, intake, master, 0)
        both = [str(path) for path in intake.archives]
        self.night(mill, both, intake, master, 65)
        before = sorted(path.relative_to(self.lake) for path in self.lake.rglob("*.parquet"))
        self.night(mill, both, intake, master, 0)
        after = sorted(path.relative_to(self.lake) for path in self.lake.rglob("*.parquet"))
        if before != after:
            raise SystemExit("a night that was run again changed the lake")
        from report import show_reports
        from session import make_session

        options = [f"--conf {name}={value}" for name, value in LOCAL_SPARK.items()]
        os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join([*options, "pyspark-shell"])
        self.session = make_session("compare", "local[2]")
        show_reports(self.session, str(self.lake), str(settings))

    def night(self, program, archives, intake, master, status):
        import pyspark

        submit = Path(pyspark.__file__).parent / "bin/spark-submit"
        command = [submit, "--master", master]
        for name, value in LOCAL_SPARK.items():
            command += ["--conf", f"{name}={value}"]
        command += [PIPELINES / "spark/night.py", "--lake", self.lake, "--receiptmill", program, "--archives", *archives]
        expect([*command, "--", *intake.trust], status, environment={"PYSPARK_PYTHON": sys.executable})

    def view(self, name, columns):
        return [tuple(row) for row in self.session.sql(f"SELECT {', '.join(columns)} FROM {name}").collect()]

    def report(self, found, given):
        from report import rows

        return rows(self.session, found, given)


def expect(command, *statuses, environment=None):
    command = [str(word) for word in command]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **(environment or {})}
    )
    if done.returncode not in statuses:
        said = (done.stdout + done.stderr)[-4000:]
        raise SystemExit(f"status {done.returncode} instead of {statuses}: {' '.join(command)}\n{said}")
