#!/usr/bin/env python3
"""Kills a whole job midway, again and again, runs it once more, and compares with one that was left alone.

    Tests/Engines/kills.py RECEIPTMILL [--spark MASTER] [--count LINES]

DuckDB's build, and with --spark the night's job: its driver and that one's JVM die
by SIGKILL while archives are decoded, while each table is written, between the
last table and the commit, in the commit, and while tables are merged. After each
death a reader sees the night before, or the whole night.
"""

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import intake
from engines import DAMAGED, DONE, PIPELINES, SMALL_SPARK, UNCOMPILED, decoded, expect

sys.dont_write_bytecode = True

import duckdb

# Of a build's time, when DuckDB's is killed.
PARTS = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9]
# When a night may have committed its archives.
AFTERWARDS = ["committing", "merging", "merged in part", "keeping views"]
# What a night makes of archives.
MADE = ("merged", "views")
# What no two runs have in common.
TIMES = "first_loaded_at, completed_at"


def stalling(mill, folder):
    """A program that stands in for receiptmill: writes some of decode's output, says so by a file, and waits."""
    mark, path = folder / "stalled", folder / "stalling"
    path.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = decode ] || exec {shlex.quote(str(mill))} "$@"\n'
        f'{shlex.quote(str(mill))} "$@" | head -c 20000\n'
        f"touch {shlex.quote(str(mark))}\n"
        "exec sleep 20\n"
    )
    path.chmod(0o755)
    return path, mark


def differences(one, other):
    """Tables, as SELECTs by name, that hold other rows in one place than in the other, each row as often."""
    if set(one) != set(other):
        return [f"{sorted(set(one) ^ set(other))} is in one of them alone"]
    faults = []
    for name in one:
        counts = ask(
            f"SELECT (SELECT count(*) FROM ({one[name]})), (SELECT count(*) FROM ({other[name]})),"
            f" (SELECT count(*) FROM ({one[name]} EXCEPT ALL {other[name]}))"
        )[0]
        if counts[0] != counts[1] or counts[2]:
            faults.append(f"{name}: {counts[0]} rows and {counts[1]} rows, {counts[2]} of them others")
    return faults


def ask(query):
    return duckdb.execute(query).fetchall()


def require(truth, what):
    if not truth:
        raise SystemExit(what)


class Lake:
    """The night's job on Spark."""

    def __init__(self, mill, archives, trust, master, folder):
        self.mill, self.archives, self.trust, self.master = mill, archives, trust, master
        self.folder = folder
        self.path = folder / "lake"
        options = ["--driver-java-options", UNCOMPILED]
        for name, value in SMALL_SPARK.items():
            options += ["--conf", f"{name}={value}"]
        self.environment = os.environ | {
            "PYSPARK_SUBMIT_ARGS": shlex.join([*options, "pyspark-shell"]),
            "PYSPARK_PYTHON": sys.executable,
        }

    def start(self, archives, mill=None):
        command = [sys.executable, PIPELINES / "spark/night.py", "--lake", self.path, "--master", self.master]
        command += ["--archives", *archives, "--receiptmill", mill or self.mill, "--", *self.trust]
        self.output = open(self.folder / "night.log", "wb")
        return subprocess.Popen(
            [str(word) for word in command], env=self.environment, stdout=self.output, stderr=self.output
        )

    def night(self, archives, *statuses):
        status = self.start(archives).wait()
        said = (self.folder / "night.log").read_text(errors="replace")[-4000:]
        require(status in statuses, f"the night ended with status {status} instead of {statuses}\n{said}")

    def instants(self, mark):
        """Name, and what shows that it has come. Spark writes into hidden folders, and marks what is whole."""
        known = self.issuers()
        logged = len(self.log_of_purchases())

        def is_written():
            return self.issuers() - known and not any(self.path.glob("issuers/.spark-staging-*"))

        yield "decoding", mark.exists
        for table in ("submissions", "purchases"):
            yield f"writing {table}", lambda at=self.path / table: any(at.glob(".spark-staging-*/_temporary/*/*"))
        yield "written, not committed", is_written
        yield "committing", lambda: any((self.path / "archives").glob("_temporary/*/task_*"))
        yield "merging", lambda: any(self.path.glob("merged/purchase/*/_temporary"))
        yield "merged in part", lambda: len(self.log_of_purchases()) > logged
        yield "keeping views", lambda: any(self.path.glob("views/*/model_signals/_temporary"))

    def issuers(self):
        """Folders of issuers, each with its time: the next night writes anew what a killed one left."""
        return {(path.name, path.stat().st_mtime_ns) for path in self.path.glob("issuers/archive_sha256=*")}

    def log_of_purchases(self):
        return list(self.path.glob("merged/purchase/_delta_log/*.json"))

    def kill_at_every_instant(self, base):
        program, mark = stalling(self.mill, self.folder)
        made = self.folder / "made"
        for name in MADE:
            shutil.copytree(self.path / name, made / name)
        names = [name for name, _ in self.instants(mark)]
        for name in names:
            driver = self.start(self.archives, program if name == "decoding" else None)
            come = dict(self.instants(mark))[name]
            while driver.poll() is None and not come():
                time.sleep(0.002)
            late = driver.poll() is not None
            for victim in [driver.pid, *children(driver.pid, "java")]:
                if not late:
                    os.kill(victim, signal.SIGKILL)
            driver.wait()
            seen = self.committed()
            require(seen in (base, len(self.archives)), f"killed while {name}: {seen} archives are committed")
            # The commit is over in some hundredths of a second, and may be seen too late.
            require(not late or name == "committing", f"the night was over before it was {name}")
            require(name in AFTERWARDS or seen == base, f"killed while {name}, it had committed")
            print(
                f"{self.master}: {'ended before it was' if late else 'killed while'} {name}, {seen} archives",
                flush=True,
            )
            if seen > base and name == "committing":
                self.uncommit(made)

    def uncommit(self, made):
        """Puts the rows of the last commit back to where Spark has them between its task's commit and the job's, and
        what is made of archives back to what it was."""
        for name in MADE:
            shutil.rmtree(self.path / name)
            shutil.copytree(made / name, self.path / name)
        newest = max(self.path.glob("archives/*.parquet"), key=lambda path: path.stat().st_mtime_ns)
        left = self.path / "archives/_temporary/0/task_202001010000000000000000000_0001_m_000000"
        left.mkdir(parents=True, exist_ok=True)
        newest.rename(left / newest.name)
        newest.with_name(f".{newest.name}.crc").unlink(missing_ok=True)

    def committed(self):
        files = f"{self.path}/archives/*.parquet"
        return ask(f"SELECT count(*) FROM read_parquet('{files}')")[0][0]

    def tables(self):
        """What readers of the lake read."""
        from deltalake import DeltaTable

        archives = f"read_parquet('{self.path}/archives/*.parquet')"
        found = {"archives": f"SELECT * EXCLUDE ({TIMES}) FROM {archives}"}
        for table in ("submissions", "receipts", "purchases", "rejections", "issuers"):
            found[table] = (
                f"SELECT * FROM read_parquet('{self.path}/{table}/*/*.parquet', hive_partitioning = true,"
                " hive_types = {'archive_sha256': VARCHAR})"
            )
        for path in self.path.glob("views/*/*"):
            if list(path.glob("*.parquet")):
                found[f"{path.parent.name}/{path.name}"] = f"SELECT * FROM read_parquet('{path}/*.parquet')"
        # As any reader of Delta tables finds them.
        for path in self.path.glob("merged/*"):
            found[f"merged/{path.name}"] = f"SELECT * FROM read_parquet({DeltaTable(path).file_uris()})"
        return found

    def left_behind(self):
        """Folders of jobs that did not end, and of archives that are not committed."""
        digests = ask(f"SELECT sha256 FROM read_parquet('{self.path}/archives/*.parquet')")
        known = {f"archive_sha256={row[0]}" for row in digests}
        hidden = [path for path in self.path.rglob("*") if path.name.startswith((".spark-staging", "_temporary"))]
        return hidden + [path for path in self.path.glob("*/archive_sha256=*") if path.name not in known]


def children(pid, name):
    """Processes below one that bear a name."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [int(row[0]) for row in rows if int(row[1]) == pid and row[2] == name]


def spark(mill, taken, master, folder):
    killed = Lake(mill, taken.archives, taken.trust, master, folder / "killed")
    calm = Lake(mill, taken.archives, taken.trust, master, folder / "calm")
    for one in (killed, calm):
        one.folder.mkdir()
    killed.night(taken.first, DONE)
    shutil.copytree(killed.path, calm.path)
    calm.night(calm.archives, DAMAGED)
    killed.kill_at_every_instant(base=len(taken.first))
    # A damaged archive is told by the night that commits it.
    killed.night(killed.archives, DONE, DAMAGED)
    faults = differences(killed.tables(), calm.tables())
    faults += [f"{path.relative_to(killed.path)} is left behind" for path in killed.left_behind()]
    require(not faults, "\n".join(faults))
    print(f"{master}: the lake is as if nothing had been killed, {len(killed.tables())} tables", flush=True)


def build_command(mill, taken, folder, database, files):
    build = [sys.executable, PIPELINES / "duckdb/warehouse.py", "build", database, *files, "--receiptmill", mill]
    return [str(word) for word in [*build, *(f"--option={word}" for word in taken.trust)]]


def tables_of(database):
    """Tables, as SELECTs by name, of a database that is attached under its file's name."""
    ask(f"ATTACH '{database}' (READ_ONLY)")
    found = {}
    for schema, name in ask(
        f"SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = '{database.stem}'"
    ):
        times = f" EXCLUDE ({TIMES})" if name in ("stored_archives", "archive") else ""
        found[name] = f'SELECT *{times} FROM {database.stem}.{schema}."{name}"'
    return found


def duck(mill, taken, folder):
    first, second = (decoded(mill, taken, folder, night) for night in ("first", "second"))
    base, calm, killed = folder / "base.duckdb", folder / "calm.duckdb", folder / "killed.duckdb"
    expect(build_command(mill, taken, folder, base, [first]), 0)
    for copy in (calm, killed):
        shutil.copy(base, copy)
    started = time.monotonic()
    expect(build_command(mill, taken, folder, calm, [first, second]), 0)
    seconds = time.monotonic() - started
    program, mark = stalling(mill, folder)
    deaths = 0
    for part in [None, *PARTS]:
        command = build_command(program if part is None else mill, taken, folder, killed, [first, second])
        build = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + seconds * (part or 100)
        while build.poll() is None and time.monotonic() < end and not (part is None and mark.exists()):
            time.sleep(0.002)
        build.kill()
        deaths += build.wait() == -signal.SIGKILL
        with duckdb.connect(str(killed), read_only=True) as connection:
            seen = connection.execute("SELECT count(*) FROM stored_archives").fetchone()[0]
        require(seen in (len(taken.first), len(taken.archives)), f"{seen} archives after a build was killed")
    require(deaths > len(PARTS) / 2, f"{deaths} builds were killed, the others were over before")
    expect(build_command(mill, taken, folder, killed, [first, second]), 0)
    faults = differences(tables_of(killed), tables_of(calm))
    require(not faults, "\n".join(faults))
    print(f"DuckDB: killed {deaths} times, and its tables are as if nothing had been killed", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", type=Path)
    parser.add_argument("--spark", metavar="MASTER", help="the night's job instead of DuckDB: local[2], …")
    parser.add_argument("--count", type=int, default=300, help="lines minted (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="receiptmill-kills-") as name:
        folder = Path(name)
        mill = given.mill.absolute()
        taken = intake.make(mill, folder, given.count)
        if given.spark:
            spark(mill, taken, given.spark, folder)
        else:
            duck(mill, taken, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
