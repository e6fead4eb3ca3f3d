"""The tools of receiptmill-mcp, called by the protocol's own client, over the company's sample.

Run by `make test-wheel` with a Python that has the package, its program and the extra mcp.
"""

import json
import os
import shutil
import sqlite3
import sys
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

import receiptmill
from mcp import Client, StdioServerParameters
from receiptmill import _program
from receiptmill.mcp.persons import PERSONS, Pseudonyms
from receiptmill.mcp.server import server

SAMPLE = Path(__file__).resolve().parents[2] / "data-samples/company"
# Columns that lead to a case and hold no person.
DOCUMENTS = {"receipt_sha256", "transaction_id"}


def setUpModule():
    global DATABASE, PERSONS_OF_LINES
    folder = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    DATABASE = folder / "mill.sqlite"
    [archive] = SAMPLE.glob("*.jsonl.gz")
    receiptmill.run("ingest", archive, "--trust", SAMPLE / "root.pem", "--database", DATABASE, "--quiet")
    with closing(sqlite3.connect(DATABASE)) as connection:
        found = connection.execute("SELECT account_id FROM submissions UNION SELECT device_id FROM submissions").fetchall()
    PERSONS_OF_LINES = {name for name, in found if name}


class Tools(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.server = server(DATABASE)

    async def asked(self, name, given):
        async with Client(self.server) as client:
            return await client.call_tool(name, given)

    async def call(self, name, **given):
        answer = await self.asked(name, given)
        self.assertFalse(answer.is_error, answer.content)
        told = answer.structured_content
        return told["result"] if set(told) == {"result"} else told

    async def refused(self, name, **given):
        answer = await self.asked(name, given)
        self.assertTrue(answer.is_error)
        return answer.content[0].text

    async def test_only_read(self):
        async with Client(self.server) as client:
            tools = (await client.list_tools()).tools
        self.assertEqual({one.name for one in tools}, {"list", "describe", "run", "catalog", "case"})
        self.assertEqual({one.annotations.read_only_hint for one in tools}, {True})
        before = DATABASE.read_bytes()
        await self.call("run", report="revenue")
        self.assertEqual(DATABASE.read_bytes(), before)

    async def test_list_names_every_report(self):
        found = await self.call("list")
        self.assertEqual({one["name"] for one in found}, {one["name"] for one in _program.headers()})
        self.assertEqual({one["topic"] for one in await self.call("list", topic="fraud")}, {"fraud"})

    async def test_describe_says_what_columns_mean(self):
        told = await self.call("describe", report="revenue")
        [net] = [one for one in told["columns"] if one["name"] == "net"]
        self.assertEqual((net["type"], net["meaning"]), ("money", "gross less refunded"))
        self.assertIn("by", [one["name"] for one in told["parameters"]])

    async def test_run_gives_the_rows_of_the_report(self):
        told = await self.call("run", report="revenue", parameters={"from": "2026-08"}, rows=3)
        ours = receiptmill.report(DATABASE, "revenue", from_="2026-08")
        self.assertEqual((told["n"], told["rows_left_out"]), (len(ours), len(ours) - 3))
        net = ours.columns.index("net")
        self.assertEqual([row[net] for row in told["rows"]], [str(row[net]) for row in ours.rows[:3]])
        self.assertEqual(told["period"], {"from": "2026-08", "until": None, "first": "2026-08-01", "last": "2026-09-01"})

    async def test_run_says_what_is_unknown_and_what_could_mislead(self):
        told = await self.call("run", report="proceeds")
        self.assertTrue(any("no rate card is known" in one for one in told["could_mislead"]))
        nulls = sum(row["proceeds"] is None for row in receiptmill.report(DATABASE, "proceeds").dicts())
        self.assertEqual(told["unknown"]["proceeds is null"], nulls)

    async def test_run_gives_at_most_two_hundred_rows(self):
        told = await self.call("run", report="revenue", parameters={"grain": "day", "from": "all"}, rows=10**9)
        self.assertEqual(len(told["rows"]), min(200, told["n"]))
        self.assertGreater(told["n"], 200)

    async def test_faults_are_those_of_the_program(self):
        self.assertIn("has no parameter colour", await self.refused("run", report="revenue", parameters={"colour": "red"}))
        self.assertIn("there is no report refund;", await self.refused("run", report="refund"))

    async def test_catalog_describes_views(self):
        views = {one["view"] for one in await self.call("catalog")}
        self.assertTrue({"purchases", "subscriptions", "fraud_cases"} <= views)
        columns = await self.call("catalog", view="purchases")
        self.assertIn("transaction_id", [one["column"] for one in columns])

    async def test_no_answer_names_a_person(self):
        for report in ("fraud-queue", "fraud-signals", "entitled", "renewals-due", "findings"):
            told = await self.call("run", report=report, rows=200)
            with self.subTest(report):
                self.assertTrue(told["rows"])
                self.assertEqual(words(told) & PERSONS_OF_LINES, set())

    async def test_a_case_is_found_by_the_name_that_an_answer_gave(self):
        queue = await self.call("run", report="fraud-queue", rows=1)
        name = queue["rows"][0][queue["columns"].index("subject")]
        told = await self.call("case", subject=name)
        self.assertIn(name, json.dumps(told["rows"][0]))
        self.assertEqual(words(told) & PERSONS_OF_LINES, set())

    async def test_persons_are_named_where_that_is_allowed(self):
        self.server = server(DATABASE, shows_persons=True)
        queue = await self.call("run", report="fraud-queue", rows=1)
        self.assertIn(queue["rows"][0][queue["columns"].index("subject")], PERSONS_OF_LINES)

    async def test_are_served_on_standard_output(self):
        command = shutil.which("receiptmill-mcp", path=str(Path(sys.executable).parent))
        words = [command] if command else [sys.executable, "-c", "from receiptmill.mcp.command import main; main()"]
        served = StdioServerParameters(command=words[0], args=[*words[1:], str(DATABASE)], env=dict(os.environ))
        async with Client(served) as client:
            self.assertEqual(len((await client.list_tools()).tools), 5)


class Names(unittest.TestCase):
    def test_columns_of_persons_are_those_that_lead_to_a_case(self):
        leading = {one["name"] for found in _program.headers() for one in found["columns"] if one["case"]}
        self.assertEqual(leading - DOCUMENTS - PERSONS, set())

    def test_are_the_same_for_a_person_and_lead_back(self):
        names = Pseudonyms()
        [[one, text]] = names.hidden(["account_id", "detail"], [["u-1", "account u-1: 3 devices, as (u-1) and u-10"]])
        self.assertEqual(text, f"account {one}: 3 devices, as ({one}) and u-10")
        self.assertEqual(names.resolved(one), "u-1")
        self.assertNotEqual(Pseudonyms().of("u-1"), one)

    def test_with_spaces_are_found_in_texts(self):
        names = Pseudonyms()
        one = names.of("Ann Lee")
        self.assertEqual(names.without("by Ann Lee, twice"), f"by {one}, twice")


def words(told):
    """Every text in an answer, and the words of it."""
    found = set()
    for row in told["rows"]:
        for value in row:
            if isinstance(value, str):
                found |= {value, *value.replace(",", " ").replace(":", " ").split()}
    return found


if __name__ == "__main__":
    unittest.main()
