"""What receiptmill-semantic writes, loaded by the tools for which it is written, over the sample of `receiptmill try`.

Run by `make test-semantic` with a Python that has the packages of pipelines/semantic/requirements.txt.
"""

import asyncio
import contextlib
import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import receiptmill
import yaml
from datasette.app import Datasette
from datasette.utils import parse_metadata
from receiptmill._commands import semantic

STORE = Path(__file__).resolve().parents[2] / "Tests/Migrations/v8/sales.txt"
TOOLS = {"dbt", "cube", "datasette"}
EVERYTHING = ["environment=all", "from=all", "until=all"]
# Of the reference of Cube's data model: what a cube, a dimension, a measure and a join may have, and their types.
CUBE = {"name", "sql", "sql_table", "description", "joins", "dimensions", "measures"}
DIMENSION = {"name", "sql", "type", "description", "primary_key", "public"}
MEASURE = {"name", "sql", "type", "description", "public"}
JOIN = {"name", "sql", "relationship"}


def setUpModule():
    global FOLDER, SAMPLE, DATABASE, WRITTEN, REPORTS
    FOLDER = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    SAMPLE, WRITTEN = FOLDER / "sample", FOLDER / "written"
    DATABASE = SAMPLE / "mill.sqlite"
    receiptmill.run("try", SAMPLE)
    # The sample has none of the store's own files.
    receiptmill.run("store-reports", STORE, "--database", DATABASE, "--quiet")
    told = written(DATABASE, WRITTEN)
    assert told == (0, ""), told
    listed = json.loads(receiptmill.run("report", "--list", "--format", "json"))
    # What the program itself reads in the headers.
    REPORTS = {
        report["name"]: report
        for report in listed
        if report["total"] and any(c["name"] in report["grain"] and c["type"] in ("month", "date") for c in report["columns"])
    }


def written(database, into, *options):
    """The command's exit status, and what it says on standard error."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            status = semantic([str(database), "--into", str(into), *options])
        except SystemExit as end:
            status = end.code
    return status, said.getvalue()


def copied(database, path):
    with contextlib.closing(sqlite3.connect(database)) as lite:
        lite.execute("VACUUM INTO ?", [str(path)])


def metrics_of(report):
    """The columns that add up, but for those that a parameter has to ask for."""
    optional = re.search(r"(?m)^-- Optional: (.*)$", receiptmill.run("report", "--show-sql", report["name"]))
    return [name for name in report["total"] if name not in (optional[1].split(", ") if optional else [])]


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def answer(report, *parameters, database=None):
    """The rows of `receiptmill report`, of all environments and months."""
    names = {one["name"] for one in report["parameters"]}
    asked = [one for one in EVERYTHING if one.split("=")[0] in names]
    words = ["report", report["name"], "--database", database or DATABASE, *asked, *parameters, "--format", "csv"]
    return table(receiptmill.run(*words))


def summed(rows, keys, measures):
    """Sums by keys; null counts as nothing."""
    sums = defaultdict(lambda: [Decimal(0)] * len(measures))
    for row in rows:
        key = tuple(str(row[name]) for name in keys)
        sums[key] = [total + Decimal(str(row[name] or 0)) for total, name in zip(sums[key], measures)]
    return {key: found for key, found in sums.items() if any(found)}


class Project:
    """A copy of the package of dbt with a profile, in a folder of its own."""

    def __init__(self, name, output):
        self.folder = FOLDER / name
        shutil.copytree(WRITTEN / "dbt", self.folder)
        profile = {"receiptmill": {"target": "test", "outputs": {"test": {"threads": 1, **output}}}}
        (self.folder / "profiles.yml").write_text(yaml.safe_dump(profile))

    @classmethod
    def of_sqlite(cls, name, database):
        paths = {"main": str(FOLDER / f"{name}.sqlite"), "mill": str(database)}
        return cls(name, {
            "type": "sqlite", "database": "models", "schema": "main", "schemas_and_paths": paths,
            "schema_directory": str(FOLDER / f"{name}.schemas"),
        })  # fmt: skip

    def run(self, *words):
        variables = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": str(self.folder), "DO_NOT_TRACK": "1"}
        command = [str(Path(sys.executable).with_name(words[0])), *words[1:]]
        variables = {**os.environ, **variables}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, env=variables)

    def results(self):
        """The status of each model and test of the last run, by name."""
        found = json.loads((self.folder / "target/run_results.json").read_text())["results"]
        return {one["unique_id"].split(".")[2]: one["status"] for one in found}


class Sources(unittest.TestCase):
    def test_hold_in_dbt_over_the_database(self):
        project = Project.of_sqlite("good", DATABASE)
        done = project.run("dbt", "build")
        self.assertEqual(done.returncode, 0, done.stdout)
        found = project.results()
        self.assertEqual(set(found.values()), {"success", "pass"})
        models = {f"report_{name.replace('-', '_')}" for name in REPORTS}
        self.assertEqual({name for name in found if name.startswith("report_")}, models)
        for test in ("source_not_null_receiptmill_sales_price_source", "source_unique_receiptmill_sales_purchase_id",
                     "source_relationships_receiptmill_sales_customer_id__customer_id__source_receiptmill_customers_",
                     "source_accepted_values_receiptmill_sales_is_trial__False__0__1"):  # fmt: skip
            self.assertEqual(found.get(test), "pass", sorted(found))

    def test_fail_in_dbt_where_the_database_breaks_them(self):
        broken = FOLDER / "broken.sqlite"
        copied(DATABASE, broken)
        with contextlib.closing(sqlite3.connect(broken)) as lite, lite:
            lite.execute("UPDATE model_sales SET price_source = NULL WHERE purchase_id = (SELECT max(purchase_id) FROM sales)")
            lite.execute("UPDATE model_sales SET is_trial = 2 WHERE purchase_id = (SELECT min(purchase_id) FROM sales)")
            lite.execute("DELETE FROM model_customers WHERE customer_id = (SELECT max(customer_id) FROM sales)")
        project = Project.of_sqlite("bad", broken)
        done = project.run("dbt", "test", "--select", "source:receiptmill.sales")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual({name for name, status in project.results().items() if status != "pass"}, {
            "source_not_null_receiptmill_sales_price_source",
            "source_relationships_receiptmill_sales_customer_id__customer_id__source_receiptmill_customers_",
            "source_accepted_values_receiptmill_sales_is_trial__False__0__1",
        })  # fmt: skip

    def test_are_the_columns_of_the_catalog_with_their_meanings(self):
        [source] = yaml.safe_load((WRITTEN / "dbt/models/sources.yml").read_text())["sources"]
        told = {(one["name"], column["name"]): column["description"] for one in source["tables"] for column in one["columns"]}
        with contextlib.closing(sqlite3.connect(DATABASE)) as lite:
            rows = lite.execute('SELECT object, "column", meaning, unit FROM catalog').fetchall()
        listed = {(view, name): f"{meaning} ({unit})" if unit else meaning for view, name, meaning, unit in rows}
        self.assertEqual(told, listed)
        self.assertTrue(all(one["description"] for one in source["tables"]))


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Converted amounts are rounded so that a month adds up, not a storefront; this copy converts none.
        names = ("unconverted.sqlite", "night.jsonl", "warehouse.duckdb")
        cls.unconverted, decoded, warehouse = (FOLDER / name for name in names)
        copied(DATABASE, cls.unconverted)
        receiptmill.run("refresh", "--currency", "none", "--database", cls.unconverted, "--quiet")
        decoded.write_text(receiptmill.run("decode", SAMPLE / "archive.jsonl.gz", "--trust", SAMPLE / "root.pem"))
        receiptmill.duckdb.build(warehouse, [decoded], settings=cls.unconverted)
        cls.project = Project("metrics", {"type": "duckdb", "path": str(warehouse), "schema": "semantic"})
        cls.built = cls.project.run("dbt", "build")

    def test_sources_and_models_hold_in_dbt_over_a_warehouse_of_duckdb(self):
        self.assertEqual(self.built.returncode, 0, self.built.stdout)
        self.assertEqual(set(self.project.results().values()), {"success", "pass"})

    def test_are_valid_for_metricflow(self):
        done = self.project.run("mf", "validate-configs")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counts = re.findall(r"ERRORS: (\d+), FUTURE_ERRORS: (\d+), WARNINGS: (\d+)", done.stdout)
        self.assertEqual((len(counts), set(counts)), (6, {("0", "0", "0")}), done.stdout)

    def test_are_the_columns_that_headers_declare_to_add_up_and_no_others(self):
        manifest = json.loads((self.project.folder / "target/semantic_manifest.json").read_text())
        declared = {f"{name.replace('-', '_')}_{one}" for name, report in REPORTS.items() for one in metrics_of(report)}
        self.assertEqual({one["name"] for one in manifest["metrics"]}, declared)
        self.assertIn("revenue_net", declared)
        # Counts of customers of two months, and prices of a sale, can't be added.
        self.assertTrue(declared.isdisjoint({"customers_active_customers", "refunds_sales", "renewal_rate_renewal_rate"}))

    def test_of_revenue_by_month_and_storefront_are_those_of_the_report(self):
        measures = ["gross", "refunded", "net", "sales"]
        path = FOLDER / "revenue.csv"
        done = self.project.run(
            "mf", "query", "--metrics", ",".join(f"revenue_{one}" for one in measures), "--csv", str(path), "--group-by",
            "metric_time__month,revenue__storefront,revenue__currency", "--decimals", "3",
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = table(path.read_text())
        for row in rows:
            row["metric_time__month"] = row["metric_time__month"][:7]
        names = ["metric_time__month", "revenue__storefront", "revenue__currency"]
        rows_of_report = answer(REPORTS["revenue"], "by=storefront", database=self.unconverted)
        reported = summed(rows_of_report, ["month", "storefront", "currency"], measures)
        self.assertGreater(len(reported), 100)
        self.assertGreater(len({currency for _, _, currency in reported}), 2)
        found = summed(rows, names, [f"revenue_{one}" for one in measures])
        self.assertEqual(found, reported)


class Cubes(unittest.TestCase):
    """Cube itself is not run: it has no package for Python. Its reference says what is checked here."""

    @classmethod
    def setUpClass(cls):
        files = sorted((WRITTEN / "cube").iterdir())
        cls.cubes = {cube["name"]: cube for path in files for cube in yaml.safe_load(path.read_text())["cubes"]}
        cls.count = sum(path.read_text().count("\n- name: ") for path in files)

    def test_have_the_members_of_cubes_reference(self):
        self.assertEqual(self.count, len(self.cubes), "two cubes have one name")
        for name, cube in self.cubes.items():
            with self.subTest(name):
                self.assertLessEqual(set(cube), CUBE)
                self.assertEqual(len({"sql", "sql_table"} & set(cube)), 1)
                for members, known in (("dimensions", DIMENSION), ("measures", MEASURE), ("joins", JOIN)):
                    for member in cube.get(members, []):
                        self.assertLessEqual(set(member), known)
                        self.assertRegex(member["name"], r"\A[_a-zA-Z][_a-zA-Z0-9]*\Z")
                self.assertLessEqual({one["type"] for one in cube["dimensions"]}, {"string", "number", "time", "boolean"})
                self.assertLessEqual({one["type"] for one in cube["measures"]}, {"count", "sum", "number"})
                self.assertLessEqual({one["relationship"] for one in cube.get("joins", [])}, {"many_to_one"})
                names = [one["name"] for one in [*cube["dimensions"], *cube["measures"]]]
                self.assertEqual(len(names), len(set(names)))

    def test_refer_to_members_and_cubes_that_there_are(self):
        joined = 0
        for name, cube in self.cubes.items():
            own = {"CUBE"} | {one["name"] for one in cube["measures"]}
            for member in [*cube["dimensions"], *cube["measures"]]:
                self.assertLessEqual(set(re.findall(r"{(\w+)}", member.get("sql", ""))), own, name)
            for join in cube.get("joins", []):
                joined += 1
                self.assertEqual(set(re.findall(r"{(\w+)}", join["sql"])), {"CUBE", join["name"]})
                keys = [one["name"] for one in self.cubes[join["name"]]["dimensions"] if one.get("primary_key")]
                self.assertEqual(join["sql"].rpartition(".")[2], *keys)
        self.assertGreater(joined, 0)

    def test_of_views_can_be_read_in_full(self):
        with contextlib.closing(sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True)) as lite:
            for name, cube in self.cubes.items():
                columns = ", ".join(one["sql"].replace("{CUBE}", "cube") for one in cube["dimensions"])
                source = cube.get("sql_table") or f"({cube['sql']})"
                lite.execute(f"SELECT {columns} FROM {source} AS cube LIMIT 1").fetchall()

    def test_of_reports_have_the_sums_of_the_reports(self):
        for name, report in REPORTS.items():
            with self.subTest(name), contextlib.closing(sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True)) as lite:
                cube = self.cubes[f"report_{name.replace('-', '_')}"]
                keys = ["month", *(["currency"] if any(c["name"] == "currency" for c in report["columns"]) else [])]
                members = {one["name"]: f"sum({one['sql']})" for one in cube["measures"] if one["type"] == "sum"}
                for one in cube["measures"]:
                    if one["type"] == "number":
                        members[one["name"]] = re.sub(r"{(\w+)}", lambda found: members[found[1]], one["sql"])
                chosen = ", ".join(f"{members[one]} AS {one}" for one in metrics_of(report)).replace("{CUBE}", "cube")
                names = ", ".join(keys)
                cursor = lite.execute(f"SELECT {names}, {chosen} FROM ({cube['sql']}) AS cube GROUP BY {names}")
                rows = [dict(zip([column[0] for column in cursor.description], row)) for row in cursor]
                reported = summed(answer(report), keys, metrics_of(report))
                self.assertTrue(reported)
                self.assertEqual(summed(rows, keys, metrics_of(report)), reported)


class Metadata(unittest.TestCase):
    def test_describe_and_query_the_database_in_datasette(self):
        async def asked():
            text = (WRITTEN / "datasette/metadata.yaml").read_text()
            settings = {"sql_time_limit_ms": 10000, "max_returned_rows": 10000}
            served = Datasette([str(DATABASE)], metadata=parse_metadata(text), settings=settings)
            await served.invoke_startup()
            page = await served.client.get("/mill/rejections")
            query = await served.client.get("/mill/revenue.json?_shape=array&environment=all&from=all&until=all")
            return page, query

        page, query = asyncio.run(asked())
        self.assertIn("name of the archive, or of the report file, that has the line", page.text)
        self.assertEqual(query.status_code, 200, query.text)
        rows = query.json()
        self.assertEqual(len(rows), len(answer(REPORTS["revenue"])))


class Files(unittest.TestCase):
    def setUp(self):
        self.into = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def all(self, folder):
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_are_the_same_bytes_for_the_same_database(self):
        self.assertEqual(written(DATABASE, self.into), (0, ""))
        first = self.all(self.into)
        self.assertEqual(first, self.all(WRITTEN))
        self.assertEqual({path.parts[0] for path in first}, TOOLS)
        self.assertEqual(written(DATABASE, self.into), (0, ""))
        self.assertEqual(self.all(self.into), first)

    def test_of_others_stop_the_command_before_it_writes(self):
        theirs = self.into / "dbt/models/sources.yml"
        theirs.parent.mkdir(parents=True)
        theirs.write_text("version: 2\n")
        status, said = written(DATABASE, self.into)
        self.assertEqual(status, 73)
        self.assertIn(f"{theirs}: this command did not write the file\nhint: ", said)
        self.assertEqual(self.all(self.into), {theirs.relative_to(self.into): b"version: 2\n"})

    def test_are_not_written_through_a_link(self):
        other, linked = self.into / "precious.txt", self.into / "dbt/dbt_project.yml"
        linked.parent.mkdir(parents=True)
        other.write_text("precious")
        linked.symlink_to(other)
        status, said = written(DATABASE, self.into)
        self.assertEqual((status, other.read_text()), (73, "precious"), said)

    def test_have_no_text_that_dbt_would_compute(self):
        reports = self.into / "reports"
        reports.mkdir(parents=True)
        shown = receiptmill.run("report", "--show-sql", "revenue")
        (reports / "revenue.sql").write_text(shown.replace("-- revenue: ", "-- revenue: {{ 1 + 1 }} {% raw %} ", 1))
        self.assertEqual(written(DATABASE, self.into / "made", "--tool", "dbt", "--sql", str(reports))[0], 0)
        described = yaml.safe_load((self.into / "made/dbt/models/models.yml").read_text())["models"]
        [title] = [one["description"] for one in described if one["name"] == "report_revenue"]
        self.assertTrue(title.startswith("{ { 1 + 1 }} { % raw %} Revenue"), title)

    def test_are_those_of_the_tools_named(self):
        self.assertEqual(written(DATABASE, self.into, "--tool", "cube"), (0, ""))
        self.assertEqual([path.name for path in self.into.iterdir()], ["cube"])

    def test_are_not_written_where_words_or_database_are_wrong(self):
        other = self.into / "other.sqlite"
        other.write_text("no database of ours")
        for status, words in ((66, [self.into / "none.sqlite"]), (65, [other]), (64, [DATABASE, "--tool", "looker"]), (66, [DATABASE, "--sql", "none"])):
            with self.subTest(status):
                found, said = written(words[0], self.into / "new", *words[1:])
                self.assertEqual(found, status)
                self.assertIn("receiptmill-semantic: ", said)
                self.assertIn("\nhint: ", said)
        self.assertFalse((self.into / "new").exists())


if __name__ == "__main__":
    unittest.main()
