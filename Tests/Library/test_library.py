#!/usr/bin/env python3
"""Compares what libreceiptmill says in C, in SQLite and in Python with what independent readers found.

Arguments: the output of library.c, and the files that it was given, each NAME.b64 or NAME.jws beside
NAME.expected.json. RECEIPTMILL_LIBRARY names the library. pyarrow is used where there is one.
"""
import base64
import gzip
import hashlib
import importlib.util
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = os.environ["RECEIPTMILL_LIBRARY"]
OUTPUT, FILES = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
KINDS = {"transaction": "signed_transaction", "renewal": "signed_renewal"}

spec = importlib.util.spec_from_file_location("receiptmill_verify", ROOT / "python/receiptmill/_verify.py")
verifying = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = verifying
spec.loader.exec_module(verifying)


def expectation(file):
    return json.loads(file.with_name(file.stem + ".expected.json").read_text())


def milliseconds(time):
    return None if time is None else round(time.timestamp() * 1000)


DOCUMENTS = [(file, file.read_text().strip(), expectation(file)) for file in FILES]


class Verdicts(unittest.TestCase):
    def check(self, file, expected, verdict, kind, sha256):
        if expected.get("verdict") and expected.get("kind"):
            self.assertEqual(verdict, expected["verdict"], file)
            self.assertEqual(kind, KINDS.get(expected["kind"], expected["kind"]), file)
            self.assertEqual(sha256, expected["sha256"], file)

    def test_in_c(self):
        lines = OUTPUT.read_text().splitlines()
        self.assertEqual(len(lines), len(FILES))
        for (file, _, expected), line in zip(DOCUMENTS, lines):
            self.check(file, expected, *line.split(" "))

    def test_in_python(self):
        for file, text, expected in DOCUMENTS:
            found = verifying.verify(text)
            self.check(file, expected, found.verdict, found.kind, found.sha256)
            self.assertEqual(found.trusted, found.detail is None and found.kind is not None, file)
            fields = found.fields
            self.assertEqual("receipt" in fields, found.kind is not None, file)
            purchases = expected.get("receipt", {}).get("purchases")
            if purchases is not None:
                self.assertEqual(len(found.purchases), len(purchases), file)
            if found.kind == "signed_transaction":
                payload, (purchase,) = expected["payload"], found.purchases
                self.assertEqual(purchase.transaction_id, payload["transactionId"], file)
                self.assertEqual(found.transaction_id, payload["transactionId"], file)
                self.assertEqual(purchase.product_id, payload["productId"], file)
                self.assertEqual(found.bundle_id, payload["bundleId"], file)
                self.assertEqual(purchase.price_milliunits, payload.get("price"), file)
                self.assertEqual(purchase.currency, payload.get("currency"), file)
                # Xcode writes fractions of milliseconds.
                self.assertEqual(milliseconds(purchase.purchase_date), int(payload["purchaseDate"]), file)
                self.assertEqual(milliseconds(found.created_at), int(payload["signedDate"]), file)
        self.assertEqual(verifying.verify(b"\xff").verdict, "unreadable")
        self.assertEqual(verifying.verify("\udcff").verdict, "unreadable")

    def test_anchors_in_python(self):
        trusted = next(text for _, text, expected in DOCUMENTS if expected.get("verdict") == "trusted")
        other = verifying.Verifier("sha256:" + 64 * "0")
        self.assertEqual(other.verify(trusted).verdict, "untrusted_root")
        with self.assertRaises(verifying.VerificationFailed) as raised:
            verifying.Verifier("nobody")
        self.assertEqual(raised.exception.status, 2)

    def test_threads_of_python(self):
        wanted = [verifying.verify(text).verdict for _, text, _ in DOCUMENTS]
        found = []

        def verify_all():
            found.append([verifying.verify(text).verdict for _, text, _ in DOCUMENTS])

        threads = [threading.Thread(target=verify_all) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, 4 * [wanted])

    # SQLite

    def connection(self):
        connection = sqlite3.connect(":memory:")
        connection.enable_load_extension(True)
        connection.load_extension(LIBRARY)
        connection.enable_load_extension(False)
        connection.execute("CREATE TABLE documents(name TEXT, text TEXT)")
        connection.executemany("INSERT INTO documents VALUES(?, ?)", [(str(file), text) for file, text, _ in DOCUMENTS])
        return connection

    def test_in_sqlite(self):
        connection = self.connection()
        rows = connection.execute(
            "SELECT receipt_verdict(text), receipt_json(text) ->> '$.receipt.kind', receipt_json(text) ->> "
            "'$.receipt.sha256' FROM documents")
        for (file, _, expected), row in zip(DOCUMENTS, rows):
            self.check(file, expected, *row)
        self.assertEqual(
            connection.execute("SELECT receipt_verdict(NULL), receipt_verdict(x'ff'), receipt_json(NULL)").fetchone(),
            (None, "unreadable", None))
        connection.close()

    def test_purchases_in_sqlite(self):
        connection = self.connection()
        found = connection.execute(
            "SELECT name, p.* FROM documents, receipt_purchases(text) p ORDER BY documents.rowid, p.rowid").fetchall()
        wanted = [
            (str(file), p.verdict, p.transaction_id, p.original_transaction_id, p.product_id, p.product_type, p.quantity,
             milliseconds(p.purchase_date), milliseconds(p.original_purchase_date), milliseconds(p.expires_date),
             milliseconds(p.cancellation_date), p.is_trial_period, p.is_in_intro_offer_period, p.promotional_offer_id,
             p.web_order_line_item_id, p.price_milliunits, p.currency)
            for file, text, _ in DOCUMENTS for p in verifying.verify(text).purchases]
        self.assertEqual(found, wanted)
        self.assertGreater(len(found), 20)
        self.assertEqual(connection.execute("SELECT count(*) FROM receipt_purchases").fetchone(), (0,))
        self.assertEqual(connection.execute("SELECT count(*) FROM receipt_purchases(NULL)").fetchone(), (0,))

    def test_anchors_in_sqlite(self):
        connection = self.connection()
        others = dict(connection.execute(
            "SELECT receipt_verdict(text, 'sha256:' || ?), count(*) FROM documents GROUP BY 1", (64 * "0",)))
        self.assertNotIn("trusted", others)
        self.assertGreater(others["untrusted_root"], 3)
        self.assertEqual(
            connection.execute("SELECT count(*) FROM documents WHERE receipt_verdict(text, 'apple') <> "
                               "receipt_verdict(text)").fetchone(), (0,))
        self.assertEqual(
            connection.execute("SELECT DISTINCT verdict FROM documents, receipt_purchases(text, 'sha256:' || ?) "
                               "WHERE verdict = 'trusted'", (64 * "0",)).fetchall(), [])
        for statement in ["SELECT receipt_verdict('', 'nobody')", "SELECT * FROM receipt_purchases('', 'nobody')"]:
            with self.assertRaisesRegex(sqlite3.OperationalError, "anchor"):
                connection.execute(statement).fetchall()

    def test_in_the_shell(self):
        file, _, expected = next(one for one in DOCUMENTS if one[2].get("verdict") == "trusted")
        answer = subprocess.run(
            ["sqlite3", ":memory:", f".load {LIBRARY}", f"SELECT receipt_verdict(readfile('{file}'))"], check=True,
            capture_output=True, text=True).stdout
        self.assertEqual(answer, "trusted\n")

    def test_generated_columns_and_indices(self):
        connection = self.connection()
        connection.execute("CREATE TABLE kept(text TEXT, verdict TEXT GENERATED ALWAYS AS (receipt_verdict(text)))")
        connection.execute("CREATE INDEX by_verdict ON kept(verdict)")
        connection.execute("INSERT INTO kept SELECT text FROM documents")
        counted = connection.execute("SELECT count(*) FROM kept WHERE verdict = 'trusted'").fetchone()[0]
        self.assertEqual(counted, sum(verifying.verify(text).trusted for _, text, _ in DOCUMENTS))


SAMPLE = ROOT / "data-samples/signed"
APP = "com.example.atlas"


def payload(string):
    """The payload of a signed string, read without the library."""
    part = string.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def signed_strings(text):
    """Every signed string of a text, including those inside other strings."""
    for string in re.findall(r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+", text):
        yield string
        yield from signed_strings(json.dumps(payload(string)))


class Services(unittest.TestCase):
    """Compares what a service unlocks with what the mint recorded and what the strings state."""

    @classmethod
    def setUpClass(cls):
        cls.verdicts = {one["receipt_sha256"]: one["verdict"]
                        for one in map(json.loads, (SAMPLE / "truth-signed.jsonl").read_text().splitlines())}
        with gzip.open(SAMPLE / "receipts-001.jsonl.gz", "rt") as lines:
            found = dict.fromkeys(signed_strings(lines.read()))
        cls.transactions = [(one, payload(one)) for one in found if "transactionId" in payload(one)]
        cls.verifier = verifying.Verifier(trust=(SAMPLE / "root.pem").read_text())

    def faults(self, string, stated, bundle, environment, moment):
        """Why a transaction must not be accepted."""
        verdict = self.verdicts[hashlib.sha256(string.encode()).hexdigest()]
        words = [] if verdict == "trusted" else [verdict]
        if stated["bundleId"] != bundle:
            words.append("unexpected_bundle")
        if {"Production": "production", "Sandbox": "sandbox"}[stated["environment"]] != environment:
            words.append("unexpected_environment")
        if "revocationDate" in stated:
            words.append("canceled")
        # A server's clock may be a day behind.
        elif stated["purchaseDate"] - 86_400_000 > moment:
            words.append("not_begun")
        elif stated.get("expiresDate", moment + 1) <= moment:
            words.append("expired")
        elif stated.get("isUpgraded"):
            words.append("upgraded")
        return words

    def test_judge_what_was_minted(self):
        seen, moment = set(), 1_750_000_000_000
        at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=moment)
        for string, stated in self.transactions:
            for environment in ["production", "sandbox"]:
                for bundle in [APP, stated["bundleId"]]:
                    wanted = self.faults(string, stated, bundle, environment, moment)
                    found = self.verifier.judge(string + "\n", bundle=bundle, environment=environment, at=at)
                    self.assertEqual([one.partition(":")[0] for one in found.reasons], wanted)
                    self.assertEqual(found.accepted, not wanted)
                    self.assertEqual([one.transaction_id for one in found.purchases],
                                     [] if wanted else [stated["transactionId"]])
                    seen |= set(wanted or ["accepted"])
        self.assertGreaterEqual(seen, {"accepted", "bad_signature", "untrusted_root", "wrong_purpose",
                                       "unexpected_bundle", "unexpected_environment", "canceled", "expired", "not_begun"})

    def test_ask_in_so_many_words(self):
        outcome = self.verifier.judge("forged", bundle=APP, environment="production")
        self.assertFalse(outcome.accepted)
        for asked in [outcome, outcome.verdict, verifying.verify("forged")]:
            with self.assertRaisesRegex(TypeError, "check .*accepted"):
                bool(asked)
        for wrong in [{"environment": "Production"}, {"environment": "any"}, {"bundle": ""},
                      {"at": datetime(2025, 1, 1)}]:
            with self.assertRaises(ValueError):
                self.verifier.judge("forged", **{"bundle": APP, "environment": "production"} | wrong)
        with self.assertRaises(TypeError):
            self.verifier.judge("forged")

    def offered(self):
        """A document of each kind for the examples, and whether they should unlock it now."""
        now, chosen = time.time() * 1000, {}
        for string, stated in self.transactions:
            words = self.faults(string, stated, APP, "production", now)
            chosen.setdefault(" ".join(words), (string, not words))
        for needed in ["unexpected_environment", "unexpected_bundle", "canceled", "expired", "bad_signature"]:
            self.assertTrue(any(needed in words for words in chosen), needed)
        head, body, signature = chosen[""][0].split(".")
        other = next(one for one, _ in self.transactions if one != chosen[""][0])
        chosen["forged"] = (f"{head}.{other.split('.')[1]}.{signature}", False)
        return list(chosen.values())

    def example(self, language, holding):
        pages = "".join((ROOT / f"docs/{page}.md").read_text() for page in ["developer", "library"])
        blocks = re.findall(r"```(\w+)\n(.*?)```", pages, re.DOTALL)
        return next(text for kind, text in blocks if kind == language and holding in text)

    def test_the_example_in_python(self):
        shell = self.example("sh", "ThreadingHTTPServer")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        source = re.search(r"<<'END'\n(.*?)\nEND\n", shell, re.DOTALL)[1].replace("8790", str(port))
        service = subprocess.Popen([sys.executable, "-c", source, SAMPLE / "root.pem"], stderr=subprocess.DEVNULL,
                                   env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
        try:
            for document, is_right in self.offered():
                for attempt in range(100):
                    try:
                        request = urllib.request.Request(f"http://127.0.0.1:{port}/", document.encode())
                        with urllib.request.urlopen(request) as answer:
                            status = answer.status
                        break
                    except urllib.error.HTTPError as error:
                        status = error.code
                        break
                    except urllib.error.URLError:
                        time.sleep(0.1)
                self.assertEqual(status, 200 if is_right else 403, payload(document))
        finally:
            service.kill()
            service.wait()

    def test_the_example_in_c(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder, "example.c"), Path(folder, "example")
            source.write_text(self.example("c", "receiptmill.h"))
            subprocess.run(["clang", source, "-I", ROOT / "Sources/CReceiptMill/include", LIBRARY,
                            f"-Wl,-rpath,{Path(LIBRARY).parent}", "-o", program], check=True)
            for document, is_right in self.offered():
                answer = subprocess.run([program, document, (SAMPLE / "root.pem").read_text()], check=True,
                                        capture_output=True, text=True).stdout
                self.assertEqual(answer.split()[0], "unlock" if is_right else "refused:", answer)


try:
    import pyarrow
except ImportError:
    pyarrow = None
    print("!! pyarrow is absent: tables are NOT TESTED !!", file=sys.stderr)


@unittest.skipIf(pyarrow is None, "no pyarrow")
class Tables(unittest.TestCase):
    def check(self, table):
        rows = table.to_pylist()
        self.assertEqual(len(rows), len(DOCUMENTS))
        for (file, text, _), row in zip(DOCUMENTS, rows):
            found = verifying.verify(text)
            for name in ["verdict", "kind", "detail", "rejection", "sha256", "environment", "bundle_id", "created_at",
                         "transaction_id", "original_transaction_id", "product_id"]:
                self.assertEqual(row[name], getattr(found, name), (file, name))
            self.assertEqual(row["purchases"], [one._asdict() for one in found.purchases], file)

    def test_types_and_slices(self):
        texts = [text for _, text, _ in DOCUMENTS]
        for kind in [pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary(),
                     pyarrow.string_view(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())]:
            array = pyarrow.array(texts, pyarrow.string()).cast(kind) if "view" not in str(kind) else \
                pyarrow.array(texts, kind)
            self.check(verifying.verify_table(array))
        array = pyarrow.array(["before", *texts, "behind"])
        self.check(verifying.verify_table(array.slice(1, len(texts))))
        self.check(verifying.verify_table(pyarrow.chunked_array([texts[:3], [], texts[3:]])))
        table = pyarrow.table({"number": range(len(texts)), "text": texts})
        self.check(verifying.verify_table(table))
        self.check(verifying.verify_table(table, column="text"))

    def test_nulls_and_nothing(self):
        found = verifying.verify_table(pyarrow.array([None, "a.b.c", None, ""]))
        self.assertEqual(found.column("verdict").to_pylist(), [None, "unreadable", None, "unreadable"])
        self.assertEqual(found.column("purchases").to_pylist(), [None, [], None, []])
        found.validate(full=True)
        empty = verifying.verify_table(pyarrow.chunked_array([], pyarrow.string()))
        self.assertEqual((len(empty), empty.schema), (0, found.schema))

    def test_refusals(self):
        with self.assertRaises(ValueError):
            verifying.verify_table(pyarrow.table({"one": ["a"], "other": ["b"]}))

    def test_many(self):
        texts = [text for _, text, _ in DOCUMENTS] * 60
        found = verifying.verify_table(pyarrow.array(texts))
        found.validate(full=True)
        once = verifying.verify_table(pyarrow.array(texts[:len(DOCUMENTS)]))
        self.assertTrue(found.slice(len(texts) - len(DOCUMENTS)).equals(once))


unittest.main(argv=sys.argv[:1])
