#!/usr/bin/env python3
"""Runs a command beside a cluster of Spark's own: a master and workers, each a process with folders of its own.

    Tests/Engines/cluster.py [--workers 2] COMMAND…

MASTER in the command stands for the cluster's address. Workers have one core and one executor each. They share no folder
but what the command names, so that whatever an executor takes from another's working folder is missing there.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

# An executor's memory; a worker itself takes a quarter of it.
MEMORY = "1g"
PATIENCE = 60


@contextmanager
def process(name, arguments, folder):
    """A daemon of Spark's, which ends with the block, and the file that it writes its log to."""
    import pyspark

    home = Path(pyspark.__file__).parent
    folder.mkdir()
    log = folder / "log"
    own = {"SPARK_HOME": str(home), "SPARK_LOCAL_DIRS": str(folder / "spill"), "SPARK_DAEMON_MEMORY": "256m"}
    command = [str(home / "bin/spark-class"), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", "--webui-port", "0"]
    with log.open("w") as stream:
        daemon = subprocess.Popen(
            [*command, *arguments], stdout=stream, stderr=stream, cwd=folder, env={**os.environ, **own}
        )
    try:
        yield log, daemon
    finally:
        daemon.terminate()
        daemon.wait()


def told(log, daemon, pattern):
    """What a daemon's log tells once it does."""
    for _ in range(PATIENCE * 10):
        if found := re.search(pattern, log.read_text()):
            return found[0]
        if daemon.poll() is not None:
            break
        time.sleep(0.1)
    raise SystemExit(f"{log.parent.name} did not start:\n{log.read_text()[-2000:]}")


@contextmanager
def cluster(workers, folder):
    """The address of a cluster, which ends with the block."""
    with ExitStack() as daemons:
        master = daemons.enter_context(process("master.Master", ["--port", "0"], folder / "master"))
        address = told(*master, r"spark://127\.0\.0\.1:\d+")
        for number in range(workers):
            place = folder / f"worker-{number}"
            options = ["--cores", "1", "--memory", MEMORY, "--work-dir", str(place / "work"), address]
            told(*daemons.enter_context(process("worker.Worker", options, place)), "Successfully registered")
        yield address


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if not given.command:
        parser.error("name a command")
    with tempfile.TemporaryDirectory(prefix="receiptmill-cluster-") as name:
        with cluster(given.workers, Path(name)) as address:
            command = [word.replace("MASTER", address) for word in given.command]
            return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
