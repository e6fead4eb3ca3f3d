#!/usr/bin/env python3
"""Compares models that were refreshed night by night with models that are computed from everything.

    Tests/Models/nights.py RECEIPTMILL RECEIPTMINT [--nights 30] [--count 3000] [--seed 1]

Archives come in a random order and several a night. Between them lines are corrected, archives grow, documents are
presented by others, notifications are delivered late, subjects are flagged, a price list comes, an archive is taken out,
and a person is erased. After each night a copy of the database is
refreshed whole, and every row of every model and of every view has to be the same.
"""

import argparse
import gzip
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

# Numbers of users and customers that no longer exist stay until the next whole refresh. Times of refreshes differ.
OWN = {"model_user_numbers", "model_customer_numbers", "model_state", "model_run"}
FEWEST_SLICED = 0.25


class Failure(Exception):
    pass


class Mill:
    def __init__(self, program, database, root):
        self.program, self.database, self.root = program, database, root

    def run(self, *arguments, database=None):
        command = [self.program, *arguments, "--database", str(database or self.database)]
        done = subprocess.run(command, capture_output=True, text=True)
        # 1 and 3 tell of lines that are rejected or not trusted.
        if done.returncode not in (0, 1, 3):
            raise Failure(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
        return done.stdout

    def ingest(self, *files, letters=None):
        options = ["--dead-letters", str(letters)] if letters else []
        self.run("ingest", *map(str, files), "--trust", str(self.root), "--keep-receipts", *options)

    def value(self, sql):
        # Commands that pack the database replace its file, so that no connection to it may stay open.
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(sql).fetchone()[0]


def objects(connection):
    """Names of models, and of views whose rows don't depend on when they are read."""
    return [
        name
        for (name,) in connection.execute(
            "SELECT name FROM main.sqlite_schema WHERE (type = 'table' AND name GLOB 'model_*') OR type = 'view' ORDER BY name"
        )
        if name not in OWN
    ]


def differences(database, other):
    found = []
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("ATTACH ? AS other", (str(other),))
        for name in objects(connection):
            for here, there in (("main", "other"), ("other", "main")):
                rows = connection.execute(
                    f"SELECT * FROM {here}.{name} EXCEPT SELECT * FROM {there}.{name} LIMIT 3"
                ).fetchall()
                if rows:
                    found.append(f"{name}: only {'by nights' if here == 'main' else 'whole'}: {rows}")
    return found


def object_of(line):
    """The line's JSON object; nothing where it is no JSON, or another value."""
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class Nights:
    """What happens in nights, by a random order that a seed decides."""

    def __init__(self, mill, folder, archives, seed):
        self.mill, self.folder, self.archives = mill, folder, archives
        self.random = random.Random(seed)
        self.good = gzip.open(archives[0]).read().splitlines()
        self.growing = None
        self.late, self.loaded = [], []
        self.places = 0
        for place in self.random.sample(range(len(archives)), len(archives) // 4):
            self.hold_back(place)
        if not self.late:
            raise Failure("no archive has a notification to hold back")

    def write(self, lines):
        """A new archive of some lines."""
        self.places += 1
        path = self.folder / f"own-{self.places}.jsonl.gz"
        path.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines)))
        return path

    def hold_back(self, place):
        """Takes the notifications out of an archive, to deliver them in some later night."""
        lines = gzip.open(self.archives[place]).read().splitlines()
        notifications = [line for line in lines if "signedPayload" in object_of(line)]
        self.late += notifications
        self.archives[place] = self.write([line for line in lines if "signedPayload" not in object_of(line)])

    def deliver(self):
        """Loads notifications that were held back."""
        count = self.random.randint(1, 1 + len(self.late))
        lines, self.late = self.late[:count], self.late[count:]
        if lines:
            self.mill.ingest(self.write(lines))

    def borrow(self):
        """Presents documents with the accounts, devices and times of other lines, a few of them many times."""
        lines = gzip.open(self.random.choice(self.loaded)).read().splitlines()
        objects = [found for found in map(object_of, lines) if found]
        if len(objects) < 2:
            return
        lines = []
        for _ in range(self.random.randint(1, 20)):
            own, other = self.random.sample(objects, 2)
            is_name = lambda value: isinstance(value, str) and len(value) < 60  # noqa: E731
            kept = {key: value for key, value in own.items() if not is_name(value)}
            lent = {key: value for key, value in other.items() if is_name(value)}
            lines += [json.dumps(kept | lent).encode()] * self.random.choice([1, 1, 1, 30])
        self.mill.ingest(self.write(lines))

    def begin(self):
        """Loads a sixth of the archives."""
        self.loaded = [self.archives.pop() for _ in range(len(self.archives) // 6)]
        self.mill.ingest(*self.loaded)

    def load(self):
        """Loads some archives, of which the last may still be written."""
        files = [self.archives.pop() for _ in range(min(len(self.archives), self.random.randint(1, 2)))]
        self.loaded += files
        if self.growing:
            whole, part = self.growing
            shutil.copy(whole, part)
            files.append(part)
            self.growing = None
        elif files and self.random.random() < 0.3:
            whole, part = files[-1], self.folder / files[-1].name
            lines = gzip.open(whole).read()
            # Cut within a line.
            part.write_bytes(gzip.compress(lines[: len(lines) * 2 // 3]))
            # The whole archive begins with the bytes of the part only if it is made of members.
            grown = self.folder / f"whole-{whole.name}"
            grown.write_bytes(part.read_bytes() + gzip.compress(lines[len(lines) * 2 // 3 :]))
            files[-1], self.growing = part, (grown, part)
        self.mill.ingest(*files, letters=self.folder / "letters.gz")

    def correct(self):
        """Corrects some rejected lines."""
        letters = self.folder / "letters.gz"
        if not letters.exists():
            return
        corrected = []
        for line in gzip.open(letters).read().splitlines()[:5]:
            letter = {"rejected": json.loads(line)["rejected"], "line": self.random.choice(self.good).decode()}
            corrected.append(json.dumps(letter))
        if not corrected:
            return
        path = self.folder / "corrected.gz"
        path.write_bytes(gzip.compress("\n".join(corrected).encode() + b"\n"))
        self.mill.ingest(path)

    def flag(self):
        subject = self.mill.value("SELECT max(account_id) FROM submission WHERE account_id IS NOT NULL")
        self.mill.run("flag", subject, "--as", "confirmed")
        self.mill.run("refresh")

    def list_prices(self):
        product = self.mill.value("SELECT product_id FROM product ORDER BY product_number LIMIT 1")
        path = self.folder / "prices.csv"
        path.write_text(f"product_id,currency,price\n{product},EUR,{self.random.randint(1, 9)}.99\n")
        self.mill.run("refresh", "--prices", str(path))

    def retract(self):
        name = self.mill.value("SELECT name FROM archive WHERE complete = 1 ORDER BY archive_id DESC LIMIT 1")
        self.mill.run("retract", name, "--refresh")

    def erase(self):
        account = self.mill.value("SELECT min(account_id) FROM submission WHERE account_id IS NOT NULL")
        self.mill.run("erase", "--account", account, "--refresh")

    def next(self):
        event = self.random.choices(
            [self.load, self.correct, self.borrow, self.deliver, self.flag, self.list_prices, self.retract, self.erase],
            [12, 3, 3, 3, 1, 1, 1, 1],
        )[0]
        if event != self.load and self.random.random() < 0.5:
            event()
            return event.__name__
        self.load()
        return "load"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("receiptmill")
    parser.add_argument("receiptmint")
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="receiptmill-nights-") as scratch:
        folder = Path(scratch)
        minted = folder / "minted"
        subprocess.run(
            [options.receiptmint, "--count", str(options.count), "--archives", str(options.nights * 2),
             "--signed", "0.5", "--of-2026", "0.3", "--defect", "sandbox=0.03", "--defect", "shared_receipt=0.02",
             "--seed", str(options.seed), "--last-day", "2026-11-01", "--output", str(minted)],
            check=True, capture_output=True,
        )  # fmt: skip
        archives = sorted(minted.glob("*.jsonl.gz"))
        # Half the nights in the order of time, the others in none.
        shuffled = archives[: len(archives) // 2]
        random.Random(options.seed).shuffle(shuffled)
        archives = list(reversed(shuffled + archives[len(archives) // 2 :]))
        mill = Mill(options.receiptmill, folder / "nights.sqlite", minted / "root.pem")
        nights = Nights(mill, folder, archives, options.seed)
        nights.begin()
        sliced = 0
        for night in range(1, options.nights + 1):
            event = nights.next()
            reason = mill.value("SELECT coalesce(whole_because, '') FROM model_state")
            sliced += reason == ""
            whole = folder / "whole.sqlite"
            mill.value("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copy(mill.database, whole)
            mill.run("refresh", "--whole", database=whole)
            found = differences(mill.database, whole)
            if found:
                sys.exit(f"night {night} ({event}, seed {options.seed}): not as computed whole\n" + "\n".join(found))
            if reason == "misfit":
                sys.exit(f"night {night} ({event}, seed {options.seed}): a slice could not be put in its place")
        if sliced < options.nights * FEWEST_SLICED:
            sys.exit(f"of {options.nights} nights only {sliced} were computed by slices")
        print(f"{options.nights} nights, {sliced} of them by slices: every row as computed whole")


main()
