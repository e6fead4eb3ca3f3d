"""A night's run on Spark, and reports over the lake that nights keep.

    receiptmill-spark night --master 'local[2]' --lake /lake --archives '/intake/*.jsonl.gz' -- --trust root.pem
    receiptmill-spark report --master 'local[2]' --lake /lake refunds --param from=2025-01-01 > refunds.csv

On a cluster, `spark-submit pipelines/spark/night.py` takes the same options as `night`, and `report.py` those of `report`.
Options behind -- go to `receiptmill decode`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .._extras import needs
from ..lake.reports import NoReport, parameter, report, write_csv


def setting(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.startswith("spark."):
        raise argparse.ArgumentTypeError(f"{text} is not spark.NAME=VALUE")
    return name, value


def of_spark(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lake", required=True, help="folder on any Hadoop file system")
    parser.add_argument("--master", help="local[2], spark://host:7077, yarn; where spark-submit does not say")
    parser.add_argument(
        "--conf", action="append", type=setting, default=[], metavar="NAME=VALUE", help="a setting of Spark's"
    )


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    nightly = commands.add_parser("night", help="decode new archives, merge tables, refresh models")
    of_spark(nightly)
    nightly.add_argument(
        "--archives", nargs="*", default=[], help="files, folders or patterns on any Hadoop file system"
    )
    nightly.add_argument("--receiptmill", help="the program; sent to the workers with --ship (default: that of this package)")
    nightly.add_argument(
        "--ship",
        action="append",
        default=[],
        metavar="FILE",
        help="a local file that workers need, such as the program or an anchor; options name it by its file name",
    )
    nightly.add_argument("--settings", metavar="DATABASE", help="database of receiptmill that holds apps and thresholds")
    nightly.add_argument("--quiet", action="store_true", help="print faults alone")
    nightly.add_argument("decode", nargs="*", metavar="-- OPTION", help="options of receiptmill decode")
    nightly.set_defaults(run=night)
    reporting = commands.add_parser("report", help="run a report, as CSV")
    of_spark(reporting)
    reporting.add_argument("report", help="its name")
    reporting.add_argument("--param", action="append", type=parameter, default=[], metavar="NAME=VALUE")
    reporting.add_argument("--exact", action="store_true", help="write texts that a spreadsheet would run as they are")
    reporting.add_argument("--sql", type=Path, metavar="FOLDER", help="reports that go before those built in")
    reporting.set_defaults(run=answer)
    given = parser.parse_args(words)
    if given.command == "report":
        try:
            report(given.report, given.sql).values(dict(given.param))
        except NoReport as fault:
            parser.error(str(fault))
    return given


def night(given: argparse.Namespace) -> int:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from .. import _program
    from . import archives, decoding, faults, tasks
    from ..lake.progress import Progress

    try:
        return tasks.night(
            given.lake,
            given.archives,
            master=given.master,
            receiptmill=given.receiptmill,
            ship=given.ship,
            settings=given.settings,
            decode=given.decode,
            conf=dict(given.conf),
            progress=Progress(is_quiet=given.quiet),
        )
    except _program.ProgramMissing as fault:
        sys.exit(f"night: {fault}, or name it by --receiptmill")
    except (archives.BadArchive, decoding.DecodeFailed) as fault:
        sys.exit(f"night: {fault}")
    except (PySparkException, Py4JError, OSError) as fault:
        sys.exit(f"night: {faults.told(fault)}\nRun the job again: the next night undoes what this one left.")


def answer(given: argparse.Namespace) -> int:
    from . import tasks
    from .reporting import NotMerged

    try:
        found, parameters = report(given.report, given.sql), dict(given.param)
        with tasks.running(given.lake, found, parameters, master=given.master, conf=dict(given.conf)) as session:
            columns, rows = tasks.rows(given.lake, found, parameters, session)
    except NotMerged as fault:
        sys.exit(str(fault))
    write_csv(columns, rows, sys.stdout, given.exact)
    return 0


def main(words: Sequence[str] | None = None) -> int:
    given = arguments(words)
    needs("spark", "pyspark", "deltalake", "pyarrow", "pandas")
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
