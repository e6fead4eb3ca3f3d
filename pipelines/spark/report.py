"""Runs reports of sql/reports on a lake, as they stand.

spark-submit pipelines/spark/report.py --lake hdfs:///lake refunds --param from=2025-01-01 > refunds.csv
"""

import argparse
import os
import re
import sys
from pathlib import Path

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

from lake import dialect
from lake.reports import NoReport, parameter, report, write_csv
from merged import Merged
from session import make_session
from storage import Storage
from views import Views


class NotMerged(Exception):
    """The lake holds archives that no run has merged."""


def show_reports(session, lake):
    """Makes the contract's views over the tables that the last run merged, and the rows that it kept."""
    storage = Storage(session, lake)
    views = Views(session, storage)
    merged = Merged(session, storage)
    kept = storage.kept_views(views.generation())
    if not kept or not merged.are_of(views.archives_that_count()):
        raise NotMerged(f"{lake}: the last run did not end; run night.py again")
    views.show_loaded()
    views.show_tables(merged)
    views.show_views(kept)


def rows(session, found, given):
    """A report's column names and rows."""
    # The views are temporary ones of the session, and of no schema.
    frame = session.sql(re.sub(r"\bmain\.", "", dialect.with_keys(found.statement)), args=found.values(given))
    return found.answer(frame.columns, frame.collect(), given)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", help="its name")
    parser.add_argument("--lake", required=True, help="folder that night.py wrote")
    parser.add_argument("--param", action="append", type=parameter, default=[], metavar="NAME=VALUE")
    parser.add_argument("--exact", action="store_true", help="write texts that a spreadsheet would run as they are")
    parser.add_argument("--sql", type=Path, metavar="FOLDER", help="reports that go before those built in")
    parser.add_argument("--master", help="where spark-submit does not say")
    given = parser.parse_args()
    try:
        found = report(given.report, given.sql)
        found.values(dict(given.param))
    except NoReport as fault:
        parser.error(str(fault))
    session = make_session(f"receiptmill {found.name}", given.master)
    try:
        show_reports(session, given.lake)
        write_csv(*rows(session, found, dict(given.param)), sys.stdout, given.exact)
    except NotMerged as fault:
        sys.exit(str(fault))
    finally:
        session.stop()


if __name__ == "__main__":
    main()
