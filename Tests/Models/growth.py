#!/usr/bin/env python3
"""Checks that no cost grows faster than the rows that a sender chooses: of hostile archives of two sizes, of which one is
twice the other, the larger takes at most 2.6 times the CPU time, and its database 2.6 times the bytes.

    Tests/Models/growth.py RECEIPTMILL [--lines 4000 8000 16000] [--shapes seats renewals …]

Of each shape it measures the first refresh, the refresh after a night of a hundredth more, and the command that reads most.
`check`, which computes a random sample of the models anew, takes at most twice as long as the first refresh.
A fifth of the lines are receipts of other customers with 20 purchases each. So the hostile part has less than a quarter of
all purchases, and the night is refreshed by slices. The lines have the format of `decode` (docs/decode-format.md), which
needs no signatures.
"""

import argparse
import gzip
import hashlib
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GREATEST_GROWTH, GREATEST_CHECK = 2.6, 2.0
# Smaller costs are mostly the start of a program and an empty database.
LEAST_SECONDS, LEAST_BYTES = 0.25, 4 << 20

APP = "com.example.growth"
BEGIN, YEAR, HOUR, DAY = 1_735_689_600_000, 31_536_000_000, 3_600_000, 86_400_000
CONSENTED = "900000000000000001"
TOKEN = "0e5fbb2e-7a6c-4a4e-9d8f-5d9a3c1b7e11"


def receipt(kind, name, created, **more):
    """A trusted document, which is the same for the same name."""
    return {
        "sha256": hashlib.sha256(name.encode()).hexdigest(), "kind": kind, "verdict": "trusted",
        "environment": "Production", "bundle_id": APP, "receipt_creation_date_ms": created,
        "digest_algorithm": "sha256", "purchase_count": 0, "bytes": 5000, **more,
    }  # fmt: skip


def submission(created=None, account=None, device=None, check="match"):
    found = {"device_check": check if device else "no_device_id", "app_check": "not_configured"}
    if created is not None:
        found["submitted_at_ms"] = created
    return found | ({"account_id": account} if account else {}) | ({"device_id": device} if device else {})


def period(number, original, start, hours, **more):
    return {
        "transaction_id": str(number), "original_transaction_id": str(original), "product_id": f"{APP}.pro",
        "quantity": 1, "product_type": 3, "purchase_date_ms": start, "expires_date_ms": start + hours * HOUR, **more,
    }  # fmt: skip


def consumable(number, start, product="coins", **more):
    return {
        "transaction_id": str(number), "original_transaction_id": str(number), "product_id": f"{APP}.{product}",
        "quantity": 1, "product_type": 1, "purchase_date_ms": start, **more,
    }  # fmt: skip


def signed(purchase, name, created, **terms):
    stated = {"price_milliunits": 4990, "currency": "USD", "storefront": "USA", "ownership": "PURCHASED"} | terms
    return {
        "receipt": receipt("signed_transaction", name, created, purchase_count=1), "purchases": [purchase], "terms": stated,
    }  # fmt: skip


def renewal(original, name, created, **more):
    document = receipt("signed_renewal", name, created)
    del document["bundle_id"]
    stated = {
        "original_transaction_id": str(original), "product_id": f"{APP}.pro", "auto_renew_product_id": f"{APP}.pro",
        "auto_renew_status": 1, **more,
    }  # fmt: skip
    return {"receipt": document, "purchases": [], "renewal": stated}


def notification(name, created, kind, parts, **more):
    stated = {"notification_uuid": name, "notification_type": kind, "version": "2.0", **more}
    held = [{"part": "transaction" if "terms" in part else "renewal"} | part for part in parts]
    return {
        "receipt": receipt("notification", name, created), "purchases": [], "notification": stated, "parts": held,
        "submission": {"submitted_at_ms": created, "device_check": "no_hash", "app_check": "not_configured"},
    }  # fmt: skip


def app_receipt(name, created, purchases, **more):
    return {
        "receipt": receipt("app_receipt", name, created, purchase_count=len(purchases), **more), "purchases": purchases,
    }  # fmt: skip


def installation(number):
    return {"opaque_value": f"{number:032x}", "device_hash": hashlib.sha1(f"device {number}".encode()).hexdigest()}


def bystander(number, at):
    bought = [consumable(10**12 + number * 20 + place, at - place * DAY) for place in range(20)]
    document = app_receipt(f"bystander {number}", at, bought, **installation(10**6 + number))
    return document | {"submission": submission(at, f"bystander-{number}", f"device of bystander {number}")}


# Each shape makes its line of a number; `at` is the time of it. Lines of any number of lines take one year.
def refunded(number, at):
    """Accounts that present one refunded sale, each a document from before the refund."""
    bought = consumable(1, BEGIN)
    if number == 0:
        document = signed(
            bought | {"cancellation_date_ms": BEGIN + HOUR}, "refund", BEGIN + HOUR, revocation_date_ms=BEGIN + HOUR
        )
    else:
        document = signed(bought, f"before {number if number % 2 else 0}", BEGIN + number)
    return document | {"submission": submission(at + DAY, f"account-{number}", f"device-{number}")}


def nameless(number, at):
    """Renewals that are told without a name, and as many accounts that present the subscription."""
    if number % 2 == 0:
        bought = period(10 + number, 1, at, 1, original_purchase_date_ms=BEGIN)
        return notification(f"renewed {number}", at, "DID_RENEW", [signed(bought, f"period {number}", at)])
    return signed(period(10, 1, BEGIN, 1), "first period", BEGIN) | {
        "submission": submission(at, f"account-{number}", f"device-{number}")
    }


def requests(number, at):
    """Refund requests of one customer's purchases, and as many accounts that present these."""
    bought = period(10 + number - number % 2, 1, at, 1, original_purchase_date_ms=BEGIN)
    terms = {"app_transaction_id": CONSENTED}
    if number % 2 == 0:
        asked = signed(bought, f"asked {number}", at, **terms)
        return notification(
            f"request {number}", at, "CONSUMPTION_REQUEST", [asked], consumption_request_reason="OTHER")  # fmt: skip
    document = signed(bought, f"shown {number}", at, **terms)
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


def seats(number, at):
    """Seats that are added to one period, each with a renewal info."""
    head = period(1, 1, BEGIN, 3 * 365 * 24)
    bought = head if number == 0 else head | {"transaction_id": str(1 + number), "purchase_date_ms": at}
    more = {} if number == 0 else {"additional_reason": "SEAT_ADDITION"}
    stated = signed(bought, f"seat {number}", at, amount_milliunits=4990, seat_invitations="APPLE", **more)
    info = renewal(
        1, f"info {number}", at, renewal_quantity=1 + number, renewal_amount_milliunits=4990 * (1 + number),
        currency="USD")  # fmt: skip
    return notification(f"added {number}", at, "DID_CHANGE_RENEWAL_PREF", [stated, info], subtype="INCREASE_QUANTITY")


def products(number, at):
    """Products of an app, each sold in its own month."""
    document = signed(consumable(1 + number, at, f"product-{number}"), f"sale {number}", at)
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


def presentations(number, at):
    """Accounts that present one receipt."""
    bought = [period(1 + place, 1, BEGIN + place * DAY, 24) for place in range(5)]
    document = app_receipt("one receipt", BEGIN + 5 * DAY, bought, **installation(1))
    check = "mismatch" if number % 2 else "server_issued"
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}", check)}


def presenter(number, at):
    """An account that presents everybody's receipts."""
    document = app_receipt(f"receipt {number}", at, [consumable(1 + number, at)], **installation(number))
    return document | {"submission": submission(at, "account-1", f"device-{number}")}


def takeover(number, at):
    """The same, of receipts that have most of all purchases."""
    bought = [consumable(1 + number * 10 + place, at) for place in range(10)]
    document = app_receipt(f"receipt {number}", at, bought, **installation(number))
    return document | {"submission": submission(at, "account-1", f"device-{number}")}


def chain(number, at):
    """Receipts that two accounts present each, and accounts that present two receipts each."""
    shown = number // 2
    document = app_receipt(f"receipt {shown}", BEGIN + shown, [consumable(1 + shown, BEGIN)], **installation(shown))
    account = f"account-{(number + 1) // 2}"
    return document | {"submission": submission(at, account, f"device-{account}", "server_issued")}


def renewals(number, at):
    """Renewal infos of one subscription, and as many periods."""
    if number % 2 == 0:
        document = signed(period(10 + number, 1, at, 1, original_purchase_date_ms=BEGIN), f"period {number}", at)
    else:
        document = renewal(1, f"info {number}", at, renewal_date_ms=at + HOUR, is_in_billing_retry=number // 2 % 2)
    return document | {"submission": submission(at, "account-1", "device-1")}


def moments(number, at):
    """App transactions that were created at one moment."""
    stated = {"app_transaction_id": CONSENTED} if number % 2 else {}
    document = receipt(
        "app_transaction", f"app transaction {number}", BEGIN, original_purchase_date_ms=BEGIN, app_version="1.0",
        app_version_key="011 010", original_application_version="1.0", original_application_version_key="011 010")  # fmt: skip
    shown = submission(at, f"account-{number}", f"device-{number}")
    return {"receipt": document, "purchases": [], "app_transaction": stated, "submission": shown}


def installations(number, at):
    """Receipts of one installation, by several accounts."""
    document = app_receipt(f"receipt {number}", at, [consumable(1, BEGIN)], **installation(1))
    return document | {"submission": submission(at, f"account-{number % 100}", f"device-{number % 100}", "server_issued")}


def purchases(number, at):
    """Purchases of one app transaction and one token, each presented by another account."""
    document = signed(
        consumable(1 + number, at), f"sale {number}", at, app_transaction_id=CONSENTED, app_account_token=TOKEN)  # fmt: skip
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


def apps(number, at):
    """Apps of which one account presents receipts."""
    document = app_receipt(f"receipt {number}", at, [consumable(1 + number, at)], **installation(number))
    document["receipt"]["bundle_id"] = f"{APP}.{number}"
    return document | {"submission": submission(at, "account-1", "device-1")}


def switches(number, at):
    """Subscriptions that continue one another, and renewal infos of the first."""
    if number % 2:
        document = renewal(1, f"info {number}", at, renewal_date_ms=at + HOUR)
    else:
        former = 1 if number % 4 else max(1, number - 4)
        terms = {"previous_original_transaction_id": str(former)} if number else {}
        document = signed(period(1 + number, 1 + number, at, 1), f"subscription {number}", at, **terms)
    return document | {"submission": submission(at, "account-1", "device-1")}


def family(number, at):
    """Members' shares of one purchase within days, and as many renewal infos in grace."""
    at = BEGIN + (at - BEGIN) // 40
    if number % 2:
        # The App Store states one end of grace for each period.
        grace = at - at % DAY + 9 * DAY
        document = renewal(1, f"info {number}", at, renewal_date_ms=at + HOUR, grace_period_expires_date_ms=grace)
    else:
        shared = period(10 + number, 1, at, 1, original_purchase_date_ms=BEGIN)
        document = signed(shared, f"share {number}", at, ownership="FAMILY_SHARED")
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


def deliveries(number, at):
    """Deliveries of one notification."""
    document = notification("one", at, "DID_RENEW", [signed(period(10, 1, BEGIN, 1), "period", BEGIN)])
    document["receipt"]["sha256"] = hashlib.sha256(f"delivery {number}".encode()).hexdigest()
    return document


def copies(number, at):
    """Copies of one purchase, as restoring makes them."""
    bought = consumable(10 + number, at, original_transaction_id="1", product_type=0)
    document = app_receipt(f"receipt {number}", at, [bought], **installation(number))
    return document | {"submission": submission(at, f"account-{number % 100}", f"device-{number}")}


def revocations(number, at):
    """Documents of one transaction, each with another time of revocation."""
    bought = consumable(1, BEGIN, cancellation_date_ms=at)
    document = signed(bought, f"revoked {number}", at, revocation_date_ms=at, revocation_reason=number % 2)
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


def forged(number, at):
    """Forged receipts that all state one genuine transaction."""
    if number == 0:
        document = signed(consumable(1, BEGIN), "genuine", BEGIN)
    else:
        bought = [consumable(1, BEGIN), consumable(1 + number, at)]
        document = app_receipt(
            f"receipt {number}", at, bought, verdict="untrusted_root", verdict_detail="unknown", **installation(1))  # fmt: skip
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


def versions(number, at):
    """Versions of an app, in which accounts bought it first."""
    text, key = f"1.{number}", f"011 {len(str(number)):02}{number}"
    document = app_receipt(
        f"receipt {number}", at, [consumable(1 + number, at)], app_version=text, app_version_key=key,
        original_application_version=text, original_application_version_key=key, **installation(number))  # fmt: skip
    return document | {"submission": submission(at, f"account-{number}", f"device-{number}")}


ANSWERS = ["consumption-answers", "--policy", str(ROOT / "pipelines/refund-policy.yaml"), "--all", "--consents"]
# What reads most of each shape, after what comes the database.
COMMANDS = {
    refunded: ["report", "refund-owners", "--param", "by=purchase"],
    nameless: ["report", "entitled"],
    requests: ANSWERS,
    seats: ["report", "recurring-revenue"],
    products: ["report", "revenue"],
    presentations: ["report", "fraud-signals"],
    presenter: ["report", "fraud-case", "--param", "case=account-1"],
    takeover: ["report", "entitlement-case", "--param", "owner=account-1"],
    chain: ["report", "fraud-signals"],
    renewals: ["report", "renewals-due"],
    moments: ["report", "storekit-migration"],
    installations: ["report", "receipts-to-refresh"],
    purchases: ["report", "customers"],
    apps: ["report", "receipts-to-refresh"],
    switches: ["report", "active-subscriptions"],
    family: ["report", "family-sharing"],
    deliveries: ["report", "notifications-by-type"],
    copies: ["report", "customers"],
    revocations: ["report", "findings"],
    forged: ["report", "fraud-queue"],
    versions: ["report", "freemium-owners"],
}
# What loading needs besides: the version in which an app became free.
OPTIONS = {versions: ["--app", f"{APP}:1.500"]}
# What a night reaches of it is too much to be refreshed by a slice.
REFRESHED_WHOLE = {takeover}


def cpu_seconds(command):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # 1 and 3 tell of lines that are rejected or not trusted.
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return used() - before


class Archive:
    """The lines of a shape, and of a night behind them."""

    def __init__(self, mill, folder, shape, lines):
        self.mill, self.folder, self.shape, self.lines = mill, folder, shape, lines
        self.database = folder / "mill.sqlite"

    def run(self, *arguments):
        return cpu_seconds([self.mill, *arguments, "--database", str(self.database)])

    def load(self, name, documents):
        path = self.folder / f"{name}.jsonl.gz"
        with gzip.open(path, "wt", compresslevel=1) as file:
            file.writelines(json.dumps({"schema": 2} | document) + "\n" for document in documents)
        self.run("load", str(path), "--no-refresh", "--quiet", *OPTIONS.get(self.shape, []))

    def at(self, number):
        return BEGIN + YEAR * number // self.lines

    def costs(self):
        hostile, others = self.lines * 4 // 5, self.lines // 5
        night = range(hostile, hostile + self.lines // 100)
        self.load("first", [
            *(self.shape(number, self.at(number)) for number in range(hostile)),
            *(bystander(number, self.at(number)) for number in range(others)),
        ])  # fmt: skip
        costs = {"first": self.run("refresh")}
        self.load("night", (self.shape(number, self.at(number)) for number in night))
        costs["night"] = self.run("refresh")
        with closing(sqlite3.connect(self.database)) as connection:
            (reason,) = connection.execute("SELECT whole_because FROM model_state").fetchone()
        if bool(reason) != (self.shape in REFRESHED_WHOLE):
            how = f"whole: {reason}" if reason else "by a slice"
            raise SystemExit(f"{self.shape.__name__}: the night was refreshed {how}")
        command = COMMANDS[self.shape]
        if command[-1] == "--consents":
            consents = self.folder / "consents.csv"
            consents.write_text(f"app_transaction_id\n{CONSENTED}\n")
            command = [*command, str(consents)]
        costs["command"] = self.run(*command)
        costs["check"] = self.run("check")
        costs["bytes"] = os.path.getsize(self.database)
        return costs


def growth(former, costs):
    """How many times as much each cost is as with half the lines."""
    least = {"first": LEAST_SECONDS, "night": LEAST_SECONDS, "command": LEAST_SECONDS, "bytes": LEAST_BYTES}
    return {name: costs[name] / max(former[name], cost) for name, cost in least.items()}


def main():
    shapes = {shape.__name__: shape for shape in COMMANDS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill")
    parser.add_argument("--lines", type=int, nargs="+", default=[4000, 8000, 16000], help="each twice the former")
    parser.add_argument("--shapes", nargs="+", choices=shapes, default=list(shapes))
    given = parser.parse_args()
    mill, faults = str(Path(given.mill).resolve()), []

    def measure(name, lines):
        with tempfile.TemporaryDirectory(prefix="receiptmill-growth-") as folder:
            costs = Archive(mill, Path(folder), shapes[name], lines).costs()
        seconds = " ".join(f"{costs[cost]:7.2f} s" for cost in ("first", "night", "command", "check"))
        print(f"{name:15} {lines:7} {seconds} {costs['bytes'] / (1 << 20):7.1f}", flush=True)
        return costs

    print(f"{'shape':15} {'lines':>7} {'first':>9} {'night':>9} {'command':>9} {'check':>9} {'MiB':>7}")
    for name in given.shapes:
        former = None
        for lines in given.lines:
            costs = measure(name, lines)
            if former and max(growth(former, costs).values()) > GREATEST_GROWTH:
                # On a busy machine CPU time varies by a third; the lower of two measurements counts.
                again = measure(name, lines)
                costs = {cost: min(value, again[cost]) for cost, value in costs.items()}
            for cost, times in growth(former, costs).items() if former else ():
                if times > GREATEST_GROWTH:
                    faults.append(f"{name}, {cost}: {times:.1f} times as much at {lines} lines as at half of them")
            if costs["check"] > GREATEST_CHECK * max(costs["first"], LEAST_SECONDS):
                faults.append(
                    f"{name}, check: {costs['check'] / costs['first']:.1f} times the first refresh at {lines} lines"
                )
            former = costs
    if faults:
        sys.exit("grows faster than its rows:\n" + "\n".join(faults))


if __name__ == "__main__":
    main()
