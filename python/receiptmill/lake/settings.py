"""What the user says of apps, thresholds, prices and the time zone, as a database of ReceiptMill's holds it.

There is one home for these, and for the keys of versions that they need: set them
with `receiptmill ingest` or a pipeline file, and name that database here.
"""

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# Rows of each table, by its name.
Settings = Mapping[str, list[tuple[Any, ...]]]

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
    "store_file": {
        "file_id": "BIGINT",
        "name": "STRING",
        "sha256": "BINARY",
        "report": "STRING",
        "rows": "BIGINT",
        "rejected": "BIGINT",
        "vendor": "STRING",
    },
    "store_sale": {
        "file_id": "BIGINT",
        "line": "BIGINT",
        "begins_day": "BIGINT",
        "ends_day": "BIGINT",
        "sku": "STRING",
        "parent_sku": "STRING",
        "apple_id": "BIGINT",
        "title": "STRING",
        "product_type": "STRING",
        "country": "STRING",
        "region": "STRING",
        "currency": "STRING",
        "units_thousandths": "BIGINT",
        "price_milliunits": "BIGINT",
        "gross_milliunits": "BIGINT",
        "proceeds_milliunits": "BIGINT",
        "proceeds_currency": "STRING",
        "subscription": "STRING",
        "period": "STRING",
        "promo_code": "STRING",
        "order_type": "STRING",
        "proceeds_reason": "STRING",
        "preserved_pricing": "STRING",
    },
    "store_row": {
        "file_id": "BIGINT",
        "line": "BIGINT",
        "day": "STRING",
        "app_apple_id": "BIGINT",
        "product": "STRING",
        "country": "STRING",
        "subscriber_id": "STRING",
        "fields": "STRING",
    },
    "store_rejection": {"file_id": "BIGINT", "line": "BIGINT", "reason": "STRING", "detail": "STRING"},
    "exchange_rate": {
        "currency": "STRING",
        "day_number": "BIGINT",
        "into_currency": "STRING",
        "rate": "DOUBLE",
    },
    "rate_rule": {
        "storefront": "STRING",
        "kind": "STRING",
        "paid_year": "BIGINT",
        "from_day": "BIGINT",
        "until_day": "BIGINT",
        "commission_ppm": "BIGINT",
        "tax_ppm": "BIGINT",
        "levy_ppm": "BIGINT",
        "rounding": "STRING",
    },
    "rate_currency": {"currency": "STRING", "digits": "BIGINT"},
    "consumption_answer": {
        "environment": "STRING",
        "transaction_id": "STRING",
        "answered_at": "BIGINT",
        "delivery_status": "STRING",
        "consumption_percentage": "BIGINT",
        "refund_preference": "STRING",
    },
}


def settings(database: str | os.PathLike[str] | None) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of each table; none where no database is named."""
    if not database:
        return {table: [] for table in TABLES}
    with sqlite3.connect(f"{Path(database).absolute().as_uri()}?mode=ro", uri=True) as lite:
        return {
            table: lite.execute(f"SELECT {', '.join(map(selected, columns))} FROM {table} ORDER BY 1, 2").fetchall()
            for table, columns in TABLES.items()
        }


def selected(column: str) -> str:
    """SQL for a column. Identifiers of transactions become the keys that transaction_key makes in a lake: SQLite has
    numbers where an identifier is canonical decimal."""
    if column != "transaction_id":
        return column
    return f"CASE typeof({column}) WHEN 'integer' THEN printf('%02d', length({column})) ELSE 't:' END || {column}"


def time_zone(rows: Settings) -> str:
    """The IANA name of the zone by which days are told, of the rows of each table."""
    told: dict[str, str] = dict(rows["setting"])
    return told.get("time_zone", "UTC")
