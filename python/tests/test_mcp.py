"""The tools of receiptmill-mcp, called by the protocol's own client, over the company's sample.

Run by `make test-wheel` with a Python that has the package, its program and the extra mcp.
"""

import json
import logging
import os
import re
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
from receiptmill.mcp.persons import Pseudonyms
from receiptmill.mcp.server import server

SAMPLE = Path(__file__).resolve().parents[2] / "data-samples/company"

# Of tasks that take longer than a tenth of a second, and of calls that are refused.
for noisy in ("asyncio", "mcp"):
    logging.getLogger(noisy).setLevel(logging.CRITICAL)


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

    async def name_in(self, report, column):
        """The name that a report's first row has for a person."""
        told = await self.call("run", report=report, rows=1)
        return told["rows"][0][told["columns"].index(column)]

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
        with self.assertWarns(receiptmill.ReportWarning):
            ours = receiptmill.report(DATABASE, "proceeds")
        self.assertEqual(told["unknown"]["proceeds is null"], sum(row["proceeds"] is None for row in ours.dicts()))

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
        given = {
            "fraud-case": {"case": await self.name_in("fraud-queue", "subject")},
            "entitlement-case": {"owner": await self.name_in("entitled", "owner")},
        }
        for found in _program.headers():
            with self.subTest(found["name"]):
                told = await self.call("run", report=found["name"], parameters=given.get(found["name"], {}), rows=200)
                self.assertEqual(named(told), set())

    async def test_no_refusal_names_a_person(self):
        name = await self.name_in("fraud-queue", "subject")
        for report, parameter in [("revenue", "by"), ("revenue", "from"), ("fraud-queue", "kind"), ("entitlement-case", "owner")]:
            answer = await self.asked("run", {"report": report, "parameters": {parameter: name}})
            with self.subTest(report):
                self.assertEqual(named([one.text for one in answer.content]), set())

    async def test_a_case_is_found_by_the_name_that_an_answer_gave(self):
        name = await self.name_in("fraud-queue", "subject")
        told = await self.call("case", subject=name)
        self.assertIn(name, json.dumps(told["rows"][0]))
        self.assertEqual(named(told), set())

    async def test_persons_are_named_where_that_is_allowed(self):
        self.server = server(DATABASE, shows_persons=True)
        self.assertIn(await self.name_in("fraud-queue", "subject"), PERSONS_OF_LINES)

    async def test_are_served_on_standard_output(self):
        command = shutil.which("receiptmill-mcp", path=str(Path(sys.executable).parent))
        words = [command] if command else [sys.executable, "-c", "from receiptmill.mcp.command import main; main()"]
        served = StdioServerParameters(command=words[0], args=[*words[1:], str(DATABASE)], env=dict(os.environ))
        async with Client(served) as client:
            self.assertEqual(len((await client.list_tools()).tools), 5)


class Names(unittest.TestCase):
    def hidden(self, columns, *rows):
        self.names = Pseudonyms()
        return self.names.hidden(columns, rows, {"account_id", "subject", "owner"})

    def test_are_the_same_for_a_person_and_lead_back(self):
        _, [[one, text]] = self.hidden(["account_id", "detail"], ["u-1", "account u-1: 3 devices, as [u-1] and u-10"])
        self.assertEqual(text, f"account {one}: 3 devices, as [{one}] and u-10")
        self.assertEqual(self.names.resolved({"case": f"account:{one}"}), {"case": "account:u-1"})
        self.assertEqual(self.names.resolved({"by": one}), {"by": one})
        self.assertNotEqual(Pseudonyms().of("u-1"), one)

    def test_with_spaces_are_found_in_texts(self):
        _, [[one, text]] = self.hidden(["account_id", "detail"], ["Ann Lee", "by=Ann Lee, twice"])
        self.assertEqual(text, f"by={one}, twice")

    def test_hide_identifiers_of_devices_and_tokens_in_texts(self):
        for identifier in ("02:00:00:44:55:66", "0e5fbb2e-7a6c-4a4e-9d8f-5d9a3c1b7e11"):
            _, [[text]] = self.hidden(["detail"], [f"token {identifier}."])
            self.assertRegex(text, r"^token person-[0-9a-f]{12}\.$")

    def test_leave_out_what_staff_wrote(self):
        for detail in ("innocent by Ada: is Ann", "innocent: is Ann", "innocent by Ada"):
            columns, rows = self.hidden(["event", "detail", "note"], ["decision", detail, "is Ann"])
            self.assertEqual((columns, rows), (["event", "detail"], [["decision", "innocent …"]]))

    def test_are_given_to_persons_alone(self):
        columns = ["subject_kind", "subject", "owner"]
        _, rows = self.hidden(columns, ["receipt", "5d1b0f", "(none)"], ["account", "5d1b0f", None])
        self.assertEqual([row[1] for row in rows], ["5d1b0f", self.names.of("5d1b0f")])
        self.assertEqual([row[2] for row in rows], ["(none)", None])


def named(told):
    """Persons of the lines whom an answer names, as they are or in hexadecimal."""
    text = json.dumps(told, ensure_ascii=False).lower()
    return {
        person for person in PERSONS_OF_LINES
        if re.search(rf"(?<![\w-]){re.escape(person.lower())}(?![\w-])", text) or person.encode().hex() in text
    }  # fmt: skip


if __name__ == "__main__":
    unittest.main()
