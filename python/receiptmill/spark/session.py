"""A Spark session in which tasks find what they import, and which is fitted to how much there is."""

from __future__ import annotations

import atexit
import functools
import glob
import os
import shlex
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..lake.decoded import SCHEMA_FILE, schema_text
from ..lake.memory import PART, memory_of_machine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PACKAGE = Path(__file__).resolve().parents[1]

# Archives of a lake up to this many bytes are small: of the time that their queries take, most would go into planning
# for many tasks and into compiling code.
SMALL = 64 << 20
FOR_SMALL = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
# Up to this size a query takes seconds, so that new plans after each shuffle, jobs that list files and Java's better
# compiler take longer than they save.
MODEST = 512 << 20
# How many times as many bytes archives have as the merged tables of their lines.
MERGED = 5
FOR_MODEST = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "1000",
}
# A shuffle has one partition for every 128 MiB, and at most 200, Spark's default.
PARTITION, MOST_PARTITIONS = 128 << 20, 200

# Of a machine by itself, for which nobody writes Spark's configuration.
ALONE = {
    # The machine need not know its own name.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    # Spark's records of finished queries would fill the driver's heap.
    "spark.sql.ui.retainedExecutions": "1",
}
# Most of a short night is Java that compiles itself: the better compiler would take as long again as it saves. The space
# that the lesser one has by default is full after a minute, and then compiles nothing. Memory that grows step by step is
# collected at every step.
BRIEF = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -XX:MetaspaceSize=320m"
BRIEF_HEAP = "-Xms1g -Xmn512m"
BRIEF_MEMORY = 2 << 30
# Pages of memory for sorts and joins, of which Spark would make each as large as a core's share of all: 64 MiB.
BRIEF_PAGE = "256k"
# Java looks for every class, and Spark for the text of every closure, in one jar after another: in these first.
FIRST_JARS = "spark-catalyst spark-sql spark-core scala-library spark-sql-api spark-common-utils hadoop-client-api".split()
GREETING = b"WARNING: Using incubator modules"
# Spark logs faults alone, because a night prints its own progress.
LOG = PACKAGE / "spark" / "log4j2.properties"


def make_session(
    name: str, master: str | None = None, settings: Mapping[str, str] | None = None, *, is_brief: bool = False
) -> SparkSession:
    """The session that runs already, or a new one. Settings of the command line go before those of this module.

    is_brief: what is asked for takes a minute or two, not hours."""
    is_alone = (master or "").startswith("local")
    launch(is_alone, is_brief, (settings or {}).get("spark.driver.memory"))
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    # Settings of spark-submit are known when Java runs.
    with without_java_greeting():
        SparkContext._ensure_initialized()
    known = SparkConf()
    builder = SparkSession.builder.appName(name)
    if master:
        builder = builder.master(master)
    for key, value in {**(ALONE if is_alone else {}), "spark.sql.parquet.compression.codec": "zstd"}.items():
        if not known.contains(key):
            builder = builder.config(key, value)
    for key, value in (settings or {}).items():
        builder = builder.config(key, value)
    # Times in views are UTC.
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.addPyFile(modules())
    return session


def launch(is_alone: bool, is_brief: bool, memory: str | None = None) -> None:
    """Says how the driver's Java is started, unless spark-submit has started it, or the user says so.

    memory: the driver's, as Java writes sizes; that of a running Java can't be set."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if "PYSPARK_GATEWAY_PORT" in os.environ or "PYSPARK_SUBMIT_ARGS" in os.environ:
        return
    java = f"-Dlog4j2.configurationFile={LOG.as_uri()}"
    # A shell has the bar by default, which goes before what a session says.
    options = ["--conf", "spark.ui.showConsoleProgress=false"]
    if is_alone:
        # The driver is the one executor, too.
        options += ["--driver-class-path", first_jars()]
        if is_brief:
            java += f" {BRIEF}" + ("" if memory else f" {BRIEF_HEAP}")
            options += ["--conf", f"spark.buffer.pageSize={BRIEF_PAGE}"]
        half = max(BRIEF_MEMORY, int(memory_of_machine() * PART))
        memory = memory or f"{(BRIEF_MEMORY if is_brief else half) >> 20}m"
    if memory:
        options += ["--driver-memory", memory]
    os.environ["PYSPARK_SUBMIT_ARGS"] = shlex.join([*options, "--driver-java-options", java, "pyspark-shell"])


@contextmanager
def without_java_greeting() -> Iterator[None]:
    """Whoever is started inside has a standard error that leaves out what Java says of Spark's own options at every start:
    a night that cron runs would be a letter each morning. All else is passed on, as long as there is anything."""
    sys.stderr.flush()
    ours = os.dup(2)
    heard, told = os.pipe()

    def pass_on() -> None:
        with open(heard, "rb", buffering=0) as lines, open(ours, "wb", buffering=0) as stream:
            begun = b""
            while chunk := lines.read(1 << 16):
                *whole, begun = (begun + chunk).split(b"\n")
                stream.write(b"".join(line + b"\n" for line in whole if not line.startswith(GREETING)))
                # A bar of progress has no end of line; a greeting may have begun.
                if not GREETING.startswith(begun[: len(GREETING)]):
                    stream.write(begun)
                    begun = b""
            stream.write(begun)

    kept = os.dup(2)
    os.dup2(told, 2)
    os.close(told)
    threading.Thread(target=pass_on, name="java's standard error", daemon=True).start()
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def first_jars() -> str:
    """A class path of the jars that most classes come from."""
    import pyspark

    jars = Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent, "jars")
    return os.pathsep.join(str(path) for name in FIRST_JARS for path in sorted(jars.glob(f"{name}[_-][0-9]*.jar")))


def is_little(lake: str, archives: Iterable[str] = ()) -> bool:
    """Whether archives, new ones and those in the lake, are on this machine and at most MODEST. Those that Hadoop alone can
    see are taken for large."""
    size = 0
    for pattern, times in [*((archive, 1) for archive in archives), (f"{lake}/merged", MERGED)]:
        if ":/" in pattern:
            return False
        for found in glob.glob(pattern):
            inside = (os.path.join(folder, name) for folder, _, names in os.walk(found) for name in names)
            for path in [found] if os.path.isfile(found) else inside:
                size += os.path.getsize(path) * times
                if size > MODEST:
                    return False
    return True


def fit(session: SparkSession, size: int) -> None:
    """Fits queries to the bytes of archives, where the user has not said how they are run."""
    known = session.sparkContext.getConf()
    settings = {"spark.sql.shuffle.partitions": str(min(MOST_PARTITIONS, 1 + size // PARTITION))}
    if size <= MODEST:
        settings |= FOR_MODEST
    if size <= SMALL:
        settings |= FOR_SMALL
    for name, value in settings.items():
        if not known.contains(name):
            session.conf.set(name, value)


@functools.cache
def modules() -> str:
    """What tasks import, as a zip file that lasts as long as the driver: one, since sessions of a process share files."""
    folder = tempfile.mkdtemp(prefix="receiptmill-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    inside = os.path.join(folder, "modules")
    ignored = shutil.ignore_patterns("__pycache__", "sql", "*.so", "*.properties")
    shutil.copytree(PACKAGE, os.path.join(inside, PACKAGE.name), ignore=ignored)
    # In the source tree it is not in the package.
    Path(inside, PACKAGE.name, SCHEMA_FILE).write_bytes(schema_text())
    return shutil.make_archive(inside, "zip", inside)
