"""receiptmill-fetch against a server of this file, which serves what the mint signed, and fails as servers do.

Run by `make test-python` and `make test-wheel` with a Python that has the package, its program and the extra fetch.
"""

import base64
import contextlib
import csv
import email.utils
import errno
import functools
import gzip
import hashlib
import io
import json
import os
import re
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import closing
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import receiptmill
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils
from receiptmill.fetch import command, store
from receiptmill.fetch.store import retry_after

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data-samples/signed"
NOW = datetime(2026, 11, 30, 21, tzinfo=timezone.utc).timestamp()
KEY = ec.generate_private_key(ec.SECP256R1())
BUNDLE = "com.example.atlas"
HEADER = "environment,bundle_id,endpoint,identifier,since,reason,currency,at_stake\r\n"


def pem(key):
    kinds = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(*kinds)


@functools.cache
def signed(key):
    """Trusted signed strings of the sample that stand under a key."""
    with gzip.open(SAMPLE / "receipts-001.jsonl.gz", "rt") as lines:
        found = re.findall(rf'"{key}": ?\[?"(eyJ[\w-]+\.[\w-]+\.[\w-]+)"', lines.read())
    lines = receiptmill.run("decode", written(found), "--trust", SAMPLE / "root.pem").splitlines()
    return [one for one, line in zip(found, lines, strict=True) if set(re.findall(r'"verdict": ?"(\w+)"', line)) == {"trusted"}]


def written(documents):
    path = FOLDER / "documents.jsonl"
    path.write_text("".join(json.dumps({"receipt": one}) + "\n" for one in documents))
    return path


def setUpModule():
    global FOLDER
    FOLDER = Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))


def documents(value):
    return set(re.findall(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", json.dumps(value)))


class Time:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self):
        self.time, self.slept = NOW, []

    def now(self):
        return self.time

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.time += seconds


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.server.apple.connections += 1

    def do_GET(self):
        apple = self.server.apple
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        query = {name: value for name, (value,) in parse_qs(parts.query).items()}
        apple.calls.append((self.command, parts.path, query, json.loads(body) if body else None))
        apple.tokens.append(self.headers["Authorization"].removeprefix("Bearer "))
        step = apple.faults.pop(0) if apple.faults else None
        if step:
            return step(self)
        if apple.refuses(apple.tokens[-1]):
            return self.answer(401, b"Unauthenticated\n")
        pages = apple.pages.get(parts.path)
        if pages is None:
            return self.answer(404, {"errorCode": 4040010, "errorMessage": "Transaction id not found."})
        page = pages.get(query.get("revision") or query.get("paginationToken"))
        return self.answer(200, page) if page else self.answer(400, {"errorCode": 4000005, "errorMessage": "Invalid revision."})

    do_POST = do_GET

    def answer(self, status, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response_only(status)
        self.send_header("Date", email.utils.formatdate(self.server.apple.clock(), usegmt=True))
        for name, value in {"Content_Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)

    def finish(self):
        with contextlib.suppress(ConnectionError):
            super().finish()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


class Apple:
    """The store's side: pages by path and token, faults that come first, and the requests that were made."""

    def __init__(self):
        self.pages, self.faults, self.calls, self.tokens = {}, [], [], []
        self.clock, self.connections = lambda: NOW, 0
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.apple = self
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def refuses(self, token):
        return not token_holds(token, self.clock())


def token_holds(token, now):
    """The rules of Apple's documents, by the public key; a wrong signature raises."""
    head, claims, signature = token.split(".")
    raw = from_base64(signature)
    assert len(raw) == 64
    r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    KEY.public_key().verify(utils.encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = json.loads(from_base64(head)), json.loads(from_base64(claims))
    assert head == {"alg": "ES256", "kid": "ABCDEFGHIJ", "typ": "JWT"}, head
    assert claims["exp"] - claims["iat"] <= 3600
    named = (claims["iss"], claims["aud"], claims["bid"])
    assert named == ("issuer-1", "appstoreconnect-v1", BUNDLE), named
    return claims["iat"] <= now < claims["exp"]


def from_base64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def failing(status, code=None, **headers):
    body = {"errorCode": code, "errorMessage": "An error of Apple's."} if code else b"no JSON"
    return lambda handler: handler.answer(status, body, **headers)


def cut(handler):
    handler.answer(200, b'{"signedTransactionInfo":"eyJ', Content_Length="4000")
    handler.close_connection = True


def half_json(handler):
    handler.answer(200, b'{"signedTransactionInfo":"eyJ')


def not_json(handler):
    handler.answer(200, b'{"price":NaN,"signedTransactionInfo":"' + transactions()[1].encode() + b'"}')


def drips(handler):
    handler.answer(200, b"{", Content_Length="4000")
    with contextlib.suppress(OSError):
        for _ in range(200):
            time.sleep(0.03)
            handler.wfile.write(b" ")
    handler.close_connection = True


def hangs_up(handler):
    handler.close_connection = True


def huge(handler):
    handler.answer(200, b'{"a":"', Content_Length=str(50 * 2**20))
    with contextlib.suppress(OSError):
        for _ in range(50):
            handler.wfile.write(b"x" * 2**20)
    handler.close_connection = True


class Fetching(unittest.TestCase):
    def setUp(self):
        self.apple, self.time = Apple(), Time()
        self.addCleanup(self.apple.close)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.into = self.folder / "archives"
        self.key = self.folder / "AuthKey.p8"
        self.key.write_bytes(pem(KEY))
        self.enterContext(mock.patch.object(store, "Clock", lambda: self.time))
        self.enterContext(mock.patch.dict(os.environ, {"no_proxy": "*"}))
        before = signal.getsignal(signal.SIGTERM)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        self.addCleanup(os.umask, os.umask(0o022))

    def words(self, *rows, more=()):
        asked = self.folder / "questions.csv"
        asked.write_text(HEADER + "".join(",".join(row) + "\r\n" for row in rows))
        key = ["--key", self.key, "--key-id", "ABCDEFGHIJ", "--issuer", "issuer-1"]
        return [*map(str, [asked, "--into", self.into, *key, "--server", self.apple.address, *more])]

    def fetch(self, *rows, more=()):
        """The exit status; what was printed is in self.printed."""
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            try:
                status = command.main(self.words(*rows, more=more))
            except SystemExit as end:
                status = end.code
        self.printed = out.getvalue() + errors.getvalue()
        secrets = [*self.apple.tokens, *pem(KEY).decode().splitlines()[1:-1]]
        everything = self.printed + "".join(json.dumps(line) for line in self.lines())
        self.assertEqual([one for one in secrets if one in everything], [])
        return status

    def lines(self):
        found = []
        for archive in sorted(self.into.glob("*.jsonl.gz")):
            with gzip.open(archive, "rb") as lines:
                found += map(json.loads, lines)
        return found

    def names(self):
        """Files of the folder, but for the lists of what was asked."""
        return sorted(one.name for one in self.into.iterdir() if not one.name.startswith("asked-"))

    def listed(self):
        """Identifier and outcome of the questions in the newest list."""
        with max(self.into.glob("asked-*.csv")).open(newline="") as rows:
            return [(one["identifier"], one["outcome"]) for one in csv.DictReader(rows)]

    def transaction(self, identifier="2000", number=0):
        """Serves a transaction, and gives the question for it."""
        self.apple.pages[f"/inApps/v1/transactions/{identifier}"] = {None: {"signedTransactionInfo": transactions()[number]}}
        return row("transactions", identifier)

    def history(self, revisions, identifier="3000", path="/inApps/v2/history/", each=2):
        """Serves pages whose tokens are these, and gives the question for them."""
        pages, number = {}, iter(transactions())
        for before, revision in zip([None, *revisions], revisions):
            pages[before] = {"revision": revision, "hasMore": revision != revisions[-1],
                             "signedTransactions": [next(number) for _ in range(each)]}
        pages[revisions[-1]] = {"revision": revisions[-1], "hasMore": False, "signedTransactions": []}
        self.apple.pages[path + identifier] = pages
        return row("history" if "history" in path else "refunds", identifier)


def row(endpoint, identifier="", since="", environment="Production"):
    return environment, BUNDLE, endpoint, identifier, since, "unknown_end", "EUR", "12.50"


@functools.cache
def transactions():
    return signed("signedTransactionInfo") + signed("signedTransactions")


class Answers(Fetching):
    def test_every_document_of_every_page_is_a_row_of_the_database(self):
        pages = self.apple.pages
        rows = [self.transaction(), self.history(["r1", "r2", "r3"]), self.history(["f1"], "4000", "/inApps/v2/refund/lookup/")]
        item = {"originalTransactionId": "5000", "status": 1, "signedTransactionInfo": transactions()[6],
                "signedRenewalInfo": signed("signedRenewalInfo")[0]}
        pages["/inApps/v1/subscriptions/5000"] = {None: {"bundleId": BUNDLE, "data": [
            {"subscriptionGroupIdentifier": "1", "lastTransactions": [item]}]}}
        notes = signed("signedPayload")
        pages["/inApps/v1/notifications/history"] = {
            None: {"paginationToken": "eyJuIjoyfQ==", "hasMore": True,
                   "notificationHistory": [{"signedPayload": one, "sendAttempts": []} for one in notes[:3]]},
            "eyJuIjoyfQ==": {"hasMore": False, "notificationHistory": [{"signedPayload": one} for one in notes[3:5]]}}
        rows += [row("subscriptions", "5000"), row("notifications", since="2026-11-01T00:00:00Z")]
        self.assertEqual(self.fetch(*rows), 0, self.printed)
        self.assertEqual(self.printed, "")
        served = [documents(page) for one in pages.values() for page in one.values() if documents(page)]
        self.assertCountEqual([documents(line) for line in self.lines()], served)

        [archive] = self.names()
        database = self.folder / "mill.sqlite"
        words = ["ingest", self.into / archive, "--trust", SAMPLE / "root.pem", "--database", database, "--json"]
        told = json.loads(receiptmill.run(*words))
        self.assertEqual((told["lines"], told["rejected"], told["submissions"]), (8, {}, sum(map(len, served))))
        self.assertEqual(set(told["verdicts"]), {"trusted"})
        with closing(sqlite3.connect(database)) as connection:
            stored = {one for one, in connection.execute("SELECT receipt_sha256 FROM receipts")}
            rows = connection.execute("SELECT account_id, device_id, substr(submitted_at, 1, 18) FROM submissions").fetchall()
        self.assertLessEqual({hashlib.sha256(one.encode()).hexdigest() for one in set().union(*served)}, stored)
        self.assertEqual(set(rows), {(None, None, "2026-11-30T21:00:0")})

    def test_an_answer_is_kept_as_it_came(self):
        asked = self.transaction()
        body = b' {"signedTransactionInfo" :\r\n "' + transactions()[0].encode() + b'", "n":1.10, "n":1e2, "a":"\\u00e9"}\n'
        self.apple.faults = [lambda handler: handler.answer(200, body)]
        self.assertEqual(self.fetch(asked), 0)
        [archive] = self.names()
        line = gzip.decompress((self.into / archive).read_bytes())
        self.assertTrue(line.endswith(b',"answer":' + body.strip().replace(b"\r\n", b"  ") + b"}\n"), line)
        self.assertEqual(self.lines()[0]["question"], {"environment": "Production", "bundle_id": BUNDLE,
                                                        "endpoint": "transactions", "identifier": "2000"})

    def test_questions_are_asked_in_their_order_and_once(self):
        rows = [self.transaction("2002"), self.transaction("2001"), self.transaction("2002")]
        self.assertEqual(self.fetch(*rows), 0)
        self.assertEqual([path[-4:] for _, path, _, _ in self.apple.calls], ["2002", "2001"])

    def test_a_question_that_another_answer_has_answered_is_not_asked(self):
        asked = self.history(["r1"])
        payload = transactions()[0].split(".")[1]
        original = json.loads(base64.urlsafe_b64decode(payload + "=="))["originalTransactionId"]
        self.assertEqual(self.fetch(asked, row("history", original), row("refunds", original)), 0)
        self.assertEqual([path for _, path, _, _ in self.apple.calls],
                         ["/inApps/v2/history/3000", "/inApps/v2/refund/lookup/" + original])

    def test_what_the_report_asks_is_asked(self):
        database, asked = self.folder / "mill.sqlite", self.folder / "asked.csv"
        receiptmill.run("ingest", SAMPLE / "receipts-001.jsonl.gz", "--trust", SAMPLE / "root.pem", "--database", database)
        asked.write_text(receiptmill.run("report", "questions", "--database", database, "--format", "csv"))
        with asked.open(newline="") as rows:
            endpoints = [one["endpoint"] for one in csv.DictReader(rows)]
        self.assertGreater(len(set(endpoints)), 1)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertEqual(command.main([str(asked), "--into", str(self.into), "--dry-run"]), 0)
        self.assertEqual(len(printed.getvalue().splitlines()), len(endpoints))

    def test_an_answer_without_documents_is_no_line(self):
        self.apple.pages["/inApps/v2/history/3000"] = {None: {"revision": "r1", "hasMore": False, "signedTransactions": []}}
        self.assertEqual(self.fetch(row("history", "3000")), 0)
        self.assertEqual((self.names(), self.listed()), ([], [("3000", "answered")]))

    def test_what_apple_does_not_know_is_listed(self):
        self.assertEqual(self.fetch(row("transactions", "999"), self.transaction()), 0)
        self.assertEqual(self.listed(), [("999", "not known to Apple"), ("2000", "answered")])
        text = max(self.into.glob("asked-*.csv")).read_text()
        self.assertIn(f"Production,{BUNDLE},transactions,999,not known to Apple,4040010,Transaction id not found.\n", text)

    def test_what_was_asked_longest_ago_is_asked_next_so_that_no_question_waits_for_ever(self):
        rows = [row("refunds", str(number)) for number in range(301, 306)]
        for number in range(301, 306):
            self.apple.pages[f"/inApps/v2/refund/lookup/{number}"] = {None: {"hasMore": False, "signedTransactions": []}}
        for _ in range(3):
            self.assertEqual(self.fetch(*rows, more=["--calls", "2"]), 75)
        self.assertEqual([path[-3:] for _, path, _, _ in self.apple.calls], ["301", "302", "303", "304", "305", "301"])

    def test_an_app_for_which_the_key_is_refused_does_not_keep_others_from_being_asked(self):
        own, foreign = self.transaction(), ("Production", "com.example.elsewhere", *row("history", "1")[2:])
        self.apple.refuses = lambda token: json.loads(from_base64(token.split(".")[1]))["bid"] == foreign[1]
        self.assertEqual(self.fetch(foreign, own, foreign[:3] + ("2",) + foreign[4:], self.transaction("2001", 1)), 65)
        self.assertIn("Apple refuses the key for com.example.elsewhere", self.printed)
        self.assertIn("2 answered, 2 refused", self.printed)
        self.assertEqual(len(self.lines()), 2)
        # The next run asks what was never asked before it asks about the stranger's app again.
        self.assertEqual(self.fetch(foreign, self.transaction("2002", 2), more=["--calls", "1"]), 75)
        self.assertEqual(self.apple.calls[-1][1], "/inApps/v1/transactions/2002")

    def test_a_question_that_needs_more_calls_than_a_run_has_keeps_no_other_from_being_asked(self):
        pages = {None if page == 0 else f"t{page}": {"paginationToken": f"t{page + 1}", "hasMore": True,
                 "notificationHistory": [{"signedPayload": signed("signedPayload")[0]}]} for page in range(9)}
        self.apple.pages["/inApps/v1/notifications/history"] = pages
        rows = [row("notifications", since="2026-11-01"), self.transaction()]
        for _ in range(2):
            self.assertEqual(self.fetch(*rows, more=["--calls", "5"]), 75)
        self.assertEqual(self.apple.calls[5][1], "/inApps/v1/transactions/2000")
        self.assertIn("1 answered, 1 not finished", self.printed)

    def test_a_history_that_was_not_read_to_its_end_answers_no_other_question(self):
        asked = self.history(["r1", "r2"])
        original = json.loads(from_base64(transactions()[0].split(".")[1]))["originalTransactionId"]
        self.apple.faults = [None, lambda handler: handler.answer(403, {"errorCode": 4030001, "errorMessage": "No."})]
        self.fetch(asked, row("history", original))
        self.assertEqual(self.apple.calls[-1][1], "/inApps/v2/history/" + original)

    def test_notifications_begin_where_apple_still_has_them(self):
        self.apple.pages["/inApps/v1/notifications/history"] = {None: {"hasMore": False, "notificationHistory": []}}
        for environment, days in ("Production", 180), ("Sandbox", 30):
            with self.subTest(environment):
                self.assertEqual(self.fetch(row("notifications", since="2025-01-01", environment=environment)), 0)
                method, _, _, period = self.apple.calls[-1]
                self.assertEqual((method, period["endDate"]), ("POST", NOW * 1000))
                self.assertEqual(period["startDate"], (NOW - days * 86400 + 3600) * 1000)
        self.assertEqual(self.fetch(row("notifications", since="2026-12-01")), 0)
        self.assertEqual(self.apple.calls[-1][3]["startDate"], (NOW - 3600) * 1000)


class Pages(Fetching):
    def test_a_later_run_asks_only_for_what_is_newer(self):
        asked = self.history(["r1", "r2"])
        self.assertEqual(self.fetch(asked), 0)
        self.apple.calls.clear()
        self.apple.pages["/inApps/v2/history/3000"]["r2"] = {
            "revision": "r3", "hasMore": False, "signedTransactions": [transactions()[9]]}
        self.assertEqual(self.fetch(asked), 0)
        self.assertEqual([query for _, _, query, _ in self.apple.calls], [{"revision": "r2"}])
        self.assertEqual([line["answer"]["revision"] for line in self.lines()], ["r1", "r2", "r3"])
        self.assertEqual(len(self.names()), 2)
        # Another app, or another environment, has pages of its own.
        self.fetch(("Sandbox", *asked[1:]))
        self.assertEqual(self.apple.calls[-2][2], {})

    def test_tells_how_many_questions_earlier_archives_answered(self):
        printed = []
        with mock.patch.object(command.Progress, "line", lambda _, text: printed.append(text)):
            self.fetch(self.transaction("2001"), self.transaction("2002", 1))
            self.fetch(self.transaction("2002", 1), self.transaction("2003", 2))
        self.assertEqual(printed[1], "of 2 questions that archives answer, 1 is asked again")

    def test_archives_that_were_moved_after_loading_are_read_too(self):
        asked = self.history(["r1"])
        self.fetch(asked)
        self.into.rename(self.folder / "loaded")
        self.assertEqual(self.fetch(asked, more=["--earlier", str(self.folder / "loaded")]), 0)
        self.assertEqual(self.apple.calls[-1][2], {"revision": "r1"})

    def test_again_asks_from_the_start(self):
        asked = self.history(["r1"])
        self.fetch(asked)
        self.fetch(asked, more=["--again"])
        self.assertEqual(self.apple.calls[-1][2], {})
        self.assertEqual(len(self.names()), 2)

    def test_a_page_that_apple_no_longer_knows_is_asked_from_the_start(self):
        asked = self.history(["r1"])
        self.fetch(asked)
        self.history(["s1"])
        self.assertEqual(self.fetch(asked), 0, self.printed)
        self.assertEqual([query for _, _, query, _ in self.apple.calls], [{}, {"revision": "r1"}, {}])

    def test_a_page_that_repeats_ends_its_question(self):
        asked = self.history(["r1", "r2"])
        self.apple.pages["/inApps/v2/history/3000"]["r1"] = {
            "revision": "r1", "hasMore": True, "signedTransactions": transactions()[:1]}
        self.assertEqual(self.fetch(asked, self.transaction()), 75)
        self.assertIn("repeats a page", self.printed)
        self.assertEqual(len(self.apple.calls), 3)
        self.assertEqual(len(self.lines()), 2)

    def test_a_damaged_archive_is_reported_and_its_questions_asked_from_the_start(self):
        asked = self.history(["r1"])
        self.fetch(asked)
        [name] = self.names()
        (self.into / name).write_bytes((self.into / name).read_bytes()[:-20])
        self.enterContext(mock.patch.object(self, "lines", list))
        self.assertEqual(self.fetch(asked), 0)
        self.assertIn("is asked for again", self.printed)
        self.assertEqual(self.apple.calls[-1][2], {})
        (self.into / name).write_bytes(gzip.compress(b'[1]\n"text"\n'))
        self.assertEqual(self.fetch(asked), 0)
        self.assertIn(f"{name}: ", self.printed)

    def test_names_sort_in_order_even_if_the_clock_goes_back(self):
        self.fetch(self.transaction())
        self.time.time = NOW - 86400
        self.apple.clock = self.time.now
        self.fetch(self.transaction())
        self.assertEqual(self.names(), ["fetched-20261130T210000Z.jsonl.gz", "fetched-20261130T210001Z.jsonl.gz"])


class Faults(Fetching):
    def test_what_passes_is_tried_again(self):
        for fault in failing(500, 5000000), failing(500, 5000001), failing(404, 4040002), failing(503), cut, half_json, not_json, hangs_up:
            with self.subTest(fault), tempfile.TemporaryDirectory() as folder:
                self.into = Path(folder)
                self.apple.faults = [fault, fault]
                self.time.slept.clear()
                self.assertEqual(self.fetch(self.transaction()), 0, self.printed)
                waits = [one for one in self.time.slept if one > 0.3]
                self.assertEqual(len(waits), 2, waits)
                self.assertLess(waits[0], waits[1] + 0.01)
                self.assertEqual([line["answer"]["signedTransactionInfo"] for line in self.lines()], [transactions()[0]])

    def test_what_lasts_fails_one_question_and_the_others_are_asked(self):
        self.apple.faults = [cut] * 6
        self.assertEqual(self.fetch(self.transaction("2000"), self.transaction("2001", 1)), 75)
        self.assertRegex(self.printed, "transactions 2000: no whole answer: .*, 6 times\nhint: run it again later")
        self.assertEqual([line["question"]["identifier"] for line in self.lines()], ["2001"])
        self.assertTrue(all(wait <= 60 for wait in self.time.slept))

    def test_failures_that_alternate_with_answers_do_not_end_the_run(self):
        rows = [self.transaction(str(number)) for number in range(10)]
        self.apple.faults = ([hangs_up] * 6 + [None]) * 4 + [failing(400, 4000006)]
        self.assertEqual(self.fetch(*rows), 75)
        self.assertIn("5 answered, 5 failed;", self.printed)

    def test_a_store_that_is_away_ends_the_run(self):
        self.apple.faults = [failing(502)] * 100
        self.assertEqual(self.fetch(*(self.transaction(str(number)) for number in range(50))), 75)
        self.assertEqual(len(self.apple.calls), 18)
        self.assertIn("47 not asked", self.printed)
        self.assertEqual(self.names(), [])

    def test_retry_after_is_waited_for(self):
        for text, least in (str(int((NOW + 90) * 1000)), 60), ("90", 90), (email.utils.formatdate(NOW + 90, usegmt=True), 60):
            with self.subTest(text):
                self.apple.faults = [failing(429, 4290000, Retry_After=text)]
                self.time.time, self.time.slept = NOW, []
                self.assertEqual(self.fetch(self.transaction()), 0, self.printed)
                self.assertTrue(least <= max(self.time.slept) <= 91, self.time.slept)

    def test_a_long_retry_after_ends_the_run(self):
        self.apple.faults = [failing(429, 4290000, Retry_After=str(int((NOW + 3000) * 1000)))]
        self.assertEqual(self.fetch(self.transaction(), self.transaction("2001")), 75)
        self.assertIn("run it again after 21:50 UTC", self.printed)
        self.assertIn("1 not finished, 1 not asked", self.printed)
        self.assertEqual(len(self.apple.calls), 1)
        self.apple.faults = [failing(429, 4290000, Retry_After="9" * 16)]
        self.assertEqual(self.fetch(self.transaction()), 75)

    def test_odd_retry_after_is_no_wait(self):
        for text in "", "soon", "-5", "9" * 30, "1e9", "Mon, 99 Nov 2026 99:00:00 GMT":
            self.assertLessEqual(retry_after({"Retry-After": text}, NOW), 0, text)

    def test_an_answer_that_is_too_long_is_refused(self):
        self.apple.faults = [huge]
        self.assertEqual(self.fetch(self.transaction("2000"), self.transaction("2001")), 65)
        self.assertIn("the answer is longer than", self.printed)
        self.assertEqual(len(self.apple.calls), 2)
        self.assertEqual(len(self.lines()), 1)

    def test_a_slow_server_is_left(self):
        self.apple.faults = [lambda handler: threading.Event().wait(5), drips]
        init, started = store.Store.__init__, time.monotonic()
        with mock.patch.object(store.Store, "__init__", functools.partialmethod(init, timeout=0.1)):
            self.assertEqual(self.fetch(self.transaction()), 0, self.printed)
        self.assertEqual(len(self.apple.calls), 3)
        self.assertLess(time.monotonic() - started, 4)

    def test_connections_are_used_again_and_what_is_not_encrypted_goes_through_no_proxy(self):
        with mock.patch.dict(os.environ, {"http_proxy": "http://localhost:1", "no_proxy": ""}):
            self.assertEqual(self.fetch(*(self.transaction(str(number)) for number in range(5))), 0, self.printed)
        self.assertEqual((len(self.apple.calls), self.apple.connections), (5, 1))

    def test_a_proxy_that_cannot_be_used_ends_the_run(self):
        with mock.patch.dict(os.environ, {"https_proxy": "socks5://ann:s3cret@localhost:1", "no_proxy": ""}):
            self.assertEqual(self.fetch(self.transaction(), more=["--server", "https://localhost:1"]), 64)
        self.assertIn("hint: correct or unset HTTPS_PROXY", self.printed)
        self.assertNotIn("s3cret", self.printed)

    def test_odd_files_in_the_folder_end_no_run(self):
        self.into.mkdir()
        (self.into / "asked-old.csv").mkdir()
        for name in "fetched-20261399T000000Z.x", "fetched-99991231T235959Z.x", "asked-x.csv":
            (self.into / name).write_bytes(b"\xff,\xfe,a,b,c,d,e\n")
        with gzip.open(self.into / "fetched-20250101T000000Z.jsonl.gz", "wb") as file:
            file.write(b'{"a":' * 100_000)
        self.enterContext(mock.patch.object(self, "lines", list))
        self.assertEqual(self.fetch(self.transaction()), 0, self.printed)
        self.assertIn("this can't be read to its end", self.printed)

    def test_a_full_disk_ends_the_run_and_the_next_one_has_all(self):
        rows = [self.transaction(), self.transaction("2001")]
        with mock.patch("os.fsync", side_effect=[None, OSError(errno.ENOSPC, "No space left on device")]):
            self.assertEqual(self.fetch(*rows), 74)
        self.assertIn("No space left on device", self.printed)
        self.assertEqual(self.fetch(rows[1]), 0)
        self.assertEqual({line["question"]["identifier"] for line in self.lines()}, {"2000", "2001"})

    def test_a_server_without_a_certificate_that_is_trusted_gets_no_token(self):
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        day = datetime.now(timezone.utc)
        certificate = x509.CertificateBuilder(name, name, KEY.public_key(), 1, day - timedelta(1), day + timedelta(1)).add_extension(
            x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False).sign(KEY, hashes.SHA256())
        both = self.folder / "both.pem"
        both.write_bytes(pem(KEY) + certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(both)
        self.apple.server.socket = context.wrap_socket(self.apple.server.socket, server_side=True)
        address = self.apple.address.replace("http://127.0.0.1", "https://localhost")
        self.assertEqual(self.fetch(self.transaction(), more=["--server", address]), 75)
        self.assertIn("certificate verify failed", self.printed)
        self.assertEqual(self.apple.calls, [])
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": str(both)}):
            self.assertEqual(self.fetch(self.transaction(), more=["--server", address]), 0, self.printed)

    def test_a_redirect_is_not_followed(self):
        self.apple.faults = [failing(302, Location=self.apple.address + "/elsewhere")]
        self.assertEqual(self.fetch(self.transaction()), 65)
        self.assertEqual(len(self.apple.calls), 1)

    def test_an_answer_that_repeats_the_token_is_not_kept(self):
        self.apple.faults = [lambda handler: handler.answer(200, {"signedTransactionInfo": handler.server.apple.tokens[-1]})]
        self.assertEqual(self.fetch(self.transaction()), 65)
        self.assertEqual(self.names(), [])

    def test_what_a_server_says_steers_no_terminal(self):
        for code in 4000006, ["4000006"], None:
            self.apple.faults = [lambda handler: handler.answer(400, {"errorCode": code, "errorMessage": "\x1b[2J\nno"})]
            self.assertEqual(self.fetch(self.transaction()), 65)
            self.assertNotIn("\x1b", self.printed)
            self.assertIn("status 400, error 4000006:  [2J no\n" if code == 4000006 else "status 400\n", self.printed)


class Keys(Fetching):
    def test_a_clock_that_is_off_is_corrected_once(self):
        self.apple.clock = lambda: self.time.time + 7200
        self.assertEqual(self.fetch(self.transaction(), self.transaction("2001")), 0, self.printed)
        self.assertEqual(self.printed.count("clock is 120 min behind Apple's"), 1)
        self.assertEqual(len(self.apple.calls), 3)
        self.assertTrue(self.lines()[0]["submitted_at"].startswith("2026-11-30T23:00:0"))

    def test_a_key_that_is_refused_twice_ends_the_run(self):
        self.apple.refuses = lambda token: True
        self.assertEqual(self.fetch(self.transaction(), self.transaction("2001")), 77)
        self.assertIn("compare --key, --key-id and --issuer", self.printed)
        self.assertEqual((len(self.apple.calls), self.names()), (2, []))

    def test_a_token_is_used_again_and_renewed_before_it_ends(self):
        rows = [self.transaction(str(number)) for number in range(12)]
        self.apple.clock = self.time.now
        self.assertEqual(self.fetch(*rows, more=["--rate", "0.01"]), 0, self.printed)
        self.assertEqual((len(self.apple.tokens), len(set(self.apple.tokens))), (12, 2))

    def test_openssl_accepts_the_signature(self):
        self.fetch(self.transaction())
        head, _, signature = self.apple.tokens[0].rpartition(".")
        raw = from_base64(signature)
        halves = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
        (self.folder / "signature").write_bytes(utils.encode_dss_signature(*halves))
        public = KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        (self.folder / "public.pem").write_bytes(public)
        words = ["openssl", "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature"]
        done = subprocess.run(words, input=head.encode(), capture_output=True, cwd=self.folder, check=False)
        self.assertEqual(done.stdout, b"Verified OK\n", done.stderr)

    def test_a_file_that_is_no_key_is_refused_before_anything_is_asked(self):
        others = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP384R1())
        for data in b"", b"secret words", *map(pem, others):
            self.key.write_bytes(data)
            self.assertEqual(self.fetch(self.transaction()), 65)
            self.assertNotIn("secret", self.printed)
        self.key.unlink()
        self.assertEqual(self.fetch(self.transaction()), 66)
        self.assertEqual(self.apple.calls, [])


class Runs(Fetching):
    def test_the_budget_ends_a_run_and_the_next_one_goes_on(self):
        rows = [self.history(["r1", "r2", "r3"]), self.transaction()]
        self.assertEqual(self.fetch(*rows, more=["--calls", "2"]), 75)
        self.assertIn("all 2 calls of --calls are made", self.printed)
        self.assertIn("1 not finished, 1 not asked", self.printed)
        self.assertEqual(self.fetch(*rows), 0)
        self.assertEqual([query for _, _, query, _ in self.apple.calls], [{}, {"revision": "r1"}, {}, {"revision": "r2"}])

    def test_calls_keep_to_the_rate(self):
        self.fetch(*(self.transaction(str(number)) for number in range(11)), more=["--rate", "2"])
        self.assertAlmostEqual(self.time.time - NOW, 5)

    def test_a_killed_run_keeps_what_was_answered(self):
        for signal_number, status in (signal.SIGKILL, -9), (signal.SIGTERM, 75):
            with self.subTest(signal_number), tempfile.TemporaryDirectory() as folder:
                self.into, hangs = Path(folder), threading.Event()
                rows = [self.transaction("2000"), self.transaction("2001", 1), self.transaction("2002", 2)]
                self.apple.clock = time.time
                self.apple.faults = [None, None, lambda handler: hangs.set() or threading.Event().wait(5)]
                words = [sys.executable, "-m", "receiptmill.fetch.command", *self.words(*rows)]
                process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
                self.assertTrue(hangs.wait(20))
                process.send_signal(signal_number)
                told = process.communicate(timeout=20)[1]
                self.assertEqual(process.returncode, status, told)
                if signal_number == signal.SIGKILL:
                    [part] = self.into.glob("*.part")
                    with part.open("ab") as file:
                        file.write(b'{"submitted_at":"2026-')
                self.apple.clock = lambda: NOW
                self.assertEqual(self.fetch(rows[2]), 0, self.printed)
                self.assertEqual([line["question"]["identifier"] for line in self.lines()], ["2000", "2001", "2002"])
                self.assertTrue(all(name.endswith(".jsonl.gz") for name in self.names()), self.names())

    def test_two_runs_at_once_are_refused(self):
        with command.locked(self.into):
            self.assertEqual(self.fetch(self.transaction()), 75)
        self.assertIn("another run writes here", self.printed)

    def test_dry_run_prints_what_would_be_asked_and_needs_no_key(self):
        rows = [self.history(["r1"]), row("notifications", since="2026-11-01T00:00:00Z")]
        self.fetch(rows[0])
        self.apple.calls.clear()
        words = self.words(*rows)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(command.main([*words[:3], "--dry-run"]), 0)
        second, first = out.getvalue().splitlines()
        self.assertEqual(first, f"{BUNDLE} GET https://api.storekit.apple.com/inApps/v2/history/3000?revision=r1")
        self.assertIn(f"{BUNDLE} POST https://api.storekit.apple.com/inApps/v1/notifications/history {{", second)
        self.assertEqual((self.apple.calls, len(self.names())), ([], 1))

    def test_rows_that_cannot_be_asked_are_named_and_the_others_asked(self):
        odd = [row("transactions", "../../other"), row("orders", "1"), row("notifications")]
        odd.append(row("history", "1", environment="Xcode"))
        self.assertEqual(self.fetch(*odd, self.transaction()), 65)
        self.assertEqual(len(re.findall(r"^fetch: line \d: ", self.printed, re.MULTILINE)), 4, self.printed)
        self.assertEqual(len(self.apple.calls), 1)

    def test_help_needs_no_package_and_what_is_missing_is_one_line(self):
        for words, status, told in (["--help"], 0, ""), (self.words(), 69, "receiptmill-fetch: cryptography is not installed"):
            path = [str(ROOT / "python")]
            code = f"import sys; sys.path[:0] = {path}; from receiptmill import _commands; sys.exit(_commands.fetch({words}))"
            done = subprocess.run([sys.executable, "-S", "-I", "-c", code], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr[:len(told)]), (status, told), done.stderr)
            self.assertLessEqual(done.stderr.count("\n"), 1)

    def test_input_that_is_none(self):
        words = self.words()
        file = Path(words[0])
        for text, status in (None, 66), ("", 66), ("a,b\n1,2\n", 65), (HEADER, 0), (HEADER + '"', 65):
            with self.subTest(text), contextlib.redirect_stderr(io.StringIO()):
                file.unlink(missing_ok=True) if text is None else file.write_text(text)
                self.assertEqual(command.main(words), status)
        self.assertEqual(self.names(), [])

    def test_wrong_usage(self):
        for more in (["--server", "http://example.com"], ["--server", "https://user:word@example.com"], ["--rate", "0"],
                     ["--server", "https://example.com:x"], ["--server", "ftp://localhost"],
                     ["--calls", "0"], ["--key-id", ""]):
            self.assertEqual(self.fetch(self.transaction(), more=more), 64, more)
        self.assertEqual(self.apple.calls, [])

    def test_a_folder_that_cannot_be_written_to(self):
        self.into.write_text("a file")
        with mock.patch.object(self, "lines", list):
            self.assertEqual(self.fetch(self.transaction()), 73)


if __name__ == "__main__":
    unittest.main()
