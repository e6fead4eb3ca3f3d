#!/usr/bin/env python3
"""Serves a database by Datasette and compares: every canned query answers with the
rows that `receiptmill report NAME --format json` prints, every chart's query runs, the
rows to which a bar leads add up to it, the first dashboard has the figures and charts of
the HTML page in their order, and every page answers within Datasette's default second.

    compare.py RECEIPTMILL DATABASE

Run by `make test-datasette` with a Python that has Datasette.
"""

import asyncio
import html
import json
import pathlib
import re
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


def of_page(mill, database):
    """Titles of the figures and charts of the HTML page, in its order."""
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder, "page.html")
        output(mill, "report", "--html-dashboard", written, "--database", database)
        text = written.read_text()
    figures = re.findall(r"<dt>([^<]*)</dt>", text.partition('<dl class="figures">')[2])
    return [html.unescape(title) for title in [*figures, *re.findall(r"<h2[^>]*>([^<]*)<", text)]]


def figure_differs(told, expected):
    """Whether a figure as Datasette tells it is not the newest one that the report knows, rounded."""
    known = [row for row in expected if (row["amount"], row["value"]) != (None, None)]
    if not known:
        return told != "not known yet"
    number, *unit = told.split(" in ")[0].split(" ")
    row, share = known[-1], unit == ["%"]
    value = row["value"] if row["amount"] is None else row["amount"]
    # Half of the last digit.
    least = 0.5001 / 10 ** len(number.partition(".")[2]) if share or row["amount"] is not None else 0
    return not told.endswith(f" in {row['month']}") or abs(float(number) - value * (100 if share else 1)) > least \
        or (row["currency"] or "%") not in [*unit, "%"]


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
            # A report leaves out columns of proceeds that nobody asks for, and they are empty there.
            shown = set(expected[0]) if expected else set()
            rows = [{name: value for name, value in row.items() if name in shown or value is not None} for row in body["rows"]]
            if body["truncated"] or rows != expected:
                faults.append(f"{report['name']} {settings}: {len(body['rows'])} rows, expected {len(expected)}")
            compared += 1
            rows_seen += len(expected)
        page = await served.client.get(f"/{name}/{report['name']}")
        if page.status_code != 200:
            faults.append(f"{report['name']}: the page has status {page.status_code}")

    followed = 0
    averaged = {report["name"]: [chart for chart in report["charts"] if chart["n"]] for report in reports}
    columns = {report["name"]: {column["name"]: column for column in report["columns"]} for report in reports}
    charts = [chart for dashboard in metadata["plugins"]["datasette-dashboards"].values()
              for chart in dashboard["charts"].items()]
    page = of_page(mill, database)
    if not page or [entry["title"].lower() for _, entry in charts[:len(page)]] != [title.lower() for title in page]:
        faults.append(f"the first dashboard has not what the HTML page has: {page}")
    figures = json.loads(output(mill, "report", "overview", "--database", database, "--format", "json"))
    for chart, entry in charts:
        answer = await served.client.get(f"/{name}.json", params={"sql": entry["query"], "_shape": "objects"})
        if answer.status_code != 200 or answer.json()["truncated"]:
            faults.append(f"chart {chart}: status {answer.status_code}: {answer.text[:300]}")
            continue
        if entry["library"] == "metric":
            told = answer.json()["rows"][0]["figure"]
            if figure_differs(str(told), [row for row in figures if row["figure"] == chart]):
                faults.append(f"figure {chart}: {told}")
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
                known = [row for row in rows if row[column["name"]] is not None]
                values = [amount(row, column) / thousandths for row in known]
                whole = sum(values)
                if column["type"] == "share" and len(values) > 1:
                    # Shares of several rows are averaged by the number that they rest on.
                    count = next(c["n"] for c in averaged[path.split("/")[-1]])
                    whole = sum(value * row[count] for value, row in zip(values, known)) / sum(row[count] for row in known)
                if abs(whole - (mark[measure] or 0)) > 1e-6 or not rows:
                    faults.append(f"chart {chart}: {measure} {mark[measure]} leads to {values}: {mark['link']}")
            followed += 1

    described = [line.split("|") for line in output("sqlite3", database, 'SELECT object, "column" FROM catalog').split()]
    views = list(dict.fromkeys(view for view, _ in described))
    tables = metadata["databases"][name]["tables"]
    # As it is without settings.
    usual = Datasette([str(database)], metadata=metadata)
    await usual.invoke_startup()
    for view in views:
        if sorted(tables.get(view, {}).get("columns", [])) != sorted(column for other, column in described if other == view):
            faults.append(f"{view}: the columns described are not the view's")
        page = await usual.client.get(f"/{name}/{view}")
        if page.status_code != 200:
            faults.append(f"{view}: the page has status {page.status_code}")
    listed = (await served.client.get(f"/{name}.json")).json()
    if open_views := {view["name"] for view in listed["views"]} ^ set(views):
        faults.append(f"views listed that are no person's, or the other way round: {sorted(open_views)}")
    shown = listed["tables"]
    if open_tables := {table["name"] for table in shown if not table["hidden"]} - {"catalog"}:
        faults.append(f"tables of the loader's are not hidden: {sorted(open_tables)}")

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
