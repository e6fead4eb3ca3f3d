"""What the user says of apps, thresholds, prices and the time zone, as a database of ReceiptMill's holds it.

There is one home for these, and for the keys of versions that they need: set them
with `receiptmill ingest` or a pipeline file, and name that database here.
"""

import sqlite3
from pathlib import Path

# Table, and its columns with the type of each in both engines.
TABLES = {
    "app_setting": {
        "bundle_id": "STRING",
        "platform": "STRING",
        "first_free_version": "STRING",
        "first_free_version_key": "STRING",
    },
    "app_expected_version": {"bundle_id": "STRING", "version": "STRING"},
    "signal_setting": {"name": "STRING", "value": "BIGINT"},
    "setting": {"name": "STRING", "value": "STRING"},
    "listed_price": {
        "product_id": "STRING",
        "currency": "STRING",
        "price_milliunits": "BIGINT",
        "introductory_milliunits": "BIGINT",
        "valid_from": "STRING",
    },
}


def settings(database):
    """Rows of each table; none where no database is named."""
    if not database:
        return {table: [] for table in TABLES}
    with sqlite3.connect(f"{Path(database).absolute().as_uri()}?mode=ro", uri=True) as lite:
        return {
            table: lite.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1, 2").fetchall()
            for table, columns in TABLES.items()
        }


def time_zone(rows):
    """The IANA name of the zone by which days are told, of the rows of each table."""
    return dict(rows["setting"]).get("time_zone", "UTC")
