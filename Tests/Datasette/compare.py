#!/usr/bin/env python3
"""Serves a database by Datasette and compares: every canned query answers with the
rows that `receiptmill report NAME --format json` prints, every chart's query runs, and
the rows to which a bar leads add up to it.

    compare.py RECEIPTMILL DATABASE

Run by `make test-datasette` with a Python that has Datasette.
"""

import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile

from datasette.app import Datasette

# Marks of each chart whose links are followed.
FOLLOWED = 5

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETTINGS = {"sql_time_limit_ms": 60_000, "max_returned_rows": 10_000}


def output(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def settings_of(report, subject):
    """Three rounds: nothing set; every default set; another environment."""
    required = {p["name"]: subject for p in report["parameters"] if p["required"]}
    defaults = {p["name"]: p["default"] for p in report["parameters"] if p["default"] is not None}
    yield required
    if defaults:
        yield required | defaults
    if "environment" in defaults:
        yield required | {"environment": "all"}


def amount(row, column):
    value = row[column["name"]]
    return float(value) if column["currency"] and value is not None else value


async def main(mill, database):
    metadata = json.loads(output(ROOT / "pipelines/datasette/metadata.py", database, "--receiptmill", mill))
    reports = json.loads(output(mill, "report", "--list", "--format", "json"))
    served = Datasette([str(database)], metadata=metadata, settings=SETTINGS)
    await served.invoke_startup()
    name = pathlib.Path(database).stem
    faults = []

    subject = output("sqlite3", database, "SELECT account_id FROM submissions WHERE account_id IS NOT NULL LIMIT 1").strip()
    compared = rows_seen = 0
    for report in reports:
        for settings in settings_of(report, subject):
            given = [part for key, value in settings.items() for part in ("--param", f"{key}={value}")]
            expected = json.loads(output(mill, "report", report["name"], "--database", database, "--format", "json", *given))
            path = served.urls.path(f"/{name}/{report['name']}.json")
            answer = await served.client.get(path, params={"_shape": "objects", **settings})
            if answer.status_code != 200:
                faults.append(f"{report['name']} {settings}: status {answer.status_code}: {answer.text[:300]}")
                continue
            body = answer.json()
            # Money is text here, and a number there.
            for row in body["rows"]:
                row |= {column["name"]: amount(row, column) for column in report["columns"] if column["currency"]}
            if body["truncated"] or body["rows"] != expected:
                faults.append(f"{report['name']} {settings}: {len(body['rows'])} rows, expected {len(expected)}")
            compared += 1
            rows_seen += len(expected)
        page = await served.client.get(f"/{name}/{report['name']}")
        if page.status_code != 200:
            faults.append(f"{report['name']}: the page has status {page.status_code}")

    followed = 0
    columns = {report["name"]: {column["name"]: column for column in report["columns"]} for report in reports}
    charts = [chart for dashboard in metadata["plugins"]["datasette-dashboards"].values()
              for chart in dashboard["charts"].items()]
    for chart, entry in charts:
        answer = await served.client.get(f"/{name}.json", params={"sql": entry["query"], "_shape": "objects"})
        if answer.status_code != 200 or answer.json()["truncated"]:
            faults.append(f"chart {chart}: status {answer.status_code}: {answer.text[:300]}")
            continue
        marks = [row for row in answer.json()["rows"] if row["link"]]
        for mark in marks[:: max(1, len(marks) // FOLLOWED)]:
            path, _, query = mark["link"].partition("?")
            rows = (await served.client.get(f"{path}.json?{query}&_shape=objects")).json()["rows"]
            for measure in entry["display"]["transform"][0]["fold"]:
                if measure == "rows":
                    if len(rows) != mark["rows"]:
                        faults.append(f"chart {chart}: {mark['rows']} rows lead to {len(rows)}: {mark['link']}")
                    continue
                column = next(c for key, c in columns[path.split("/")[-1]].items() if key.replace("_", " ") == measure)
                thousandths = 1000 if column["unit"] == "milliunits" else 1
                values = [amount(row, column) / thousandths for row in rows if row[column["name"]] is not None]
                if abs(sum(values) - (mark[measure] or 0)) > 1e-6 or not rows:
                    faults.append(f"chart {chart}: {measure} {mark[measure]} leads to {values}: {mark['link']}")
            followed += 1

    views = [line for line in output("sqlite3", database, "SELECT name FROM sqlite_schema WHERE type = 'view'").split()]
    tables = metadata["databases"][name]["tables"]
    for view in views:
        columns = output("sqlite3", database, f"SELECT name FROM pragma_table_info('{view}')").split()
        if list(tables.get(view, {}).get("columns", [])) != columns:
            faults.append(f"{view}: the columns described are not the view's")
        page = await served.client.get(f"/{name}/{view}?_size=5&_nocount=1")
        if page.status_code != 200:
            faults.append(f"{view}: the page has status {page.status_code}")
    shown = (await served.client.get(f"/{name}.json")).json()["tables"]
    for table in shown:
        if not table["hidden"]:
            faults.append(f"{table['name']}: a table of the loader's is not hidden")

    # Read-only, and never immutable: the write-ahead log would be ignored.
    if not served.databases[name].is_mutable:
        faults.append("the database is served as immutable")
    try:
        await served.databases[name].execute("DELETE FROM submission")
        faults.append("a statement that writes went through")
    except Exception as error:
        if "readonly" not in str(error):
            faults.append(f"a statement that writes failed with: {error}")

    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(reports)} reports, {compared} comparisons, {rows_seen} rows, {len(charts)} charts, {followed} links, {len(views)} views, {len(faults)} faults")
    return 1 if faults or compared == 0 or rows_seen == 0 or followed == 0 else 0


sys.exit(asyncio.run(main(sys.argv[1], pathlib.Path(sys.argv[2]))))
