#!/usr/bin/env python3
"""Makes skewed archives of minted ones, for Benchmarks/engines.py: nine of ten lines have one owner, one app or one document.

    Benchmarks/skewed.py MILL MINTED KIND FOLDER --count 40000

KIND is even, owner, app or document. All kinds have the same number of lines, in as many archives as were minted. An owner is an
account; of a document, each line is by another account and another device.
"""

import argparse
import collections
import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

from archives import read

ACCOUNT = re.compile(rb'"(account_id|user_id|account|accountId|userId)":"[^"]*"')
# A line in the mint's plain form, whose document can be put into another line.
PLAIN = re.compile(rb'\{"receipt":"[^"]+","device_id":"[^"]+","account_id":"[^"]+","submitted_at":"[^"]+"\}\n')


def archives_in(folder):
    return sorted(folder.glob("*.jsonl.gz"))


def is_hot(number):
    return number % 10 > 0


def owner(lines):
    """One account presents most."""
    return (ACCOUNT.sub(rb'"\1":"hot"', line) if is_hot(number) else line for number, line in lines)


def document(lines):
    """One document is presented by most accounts."""
    hot = None
    for number, line in lines:
        hot = hot or (json.loads(line)["receipt"] if PLAIN.fullmatch(line) else None)
        if hot and is_hot(number):
            at = f"2026-01-{1 + number % 28:02}T00:00:00Z"
            told = {"receipt": hot, "device_id": f"device-{number}", "account_id": f"account-{number}", "submitted_at": at}
            line = json.dumps(told).encode() + b"\n"
        yield line


def apps(mill, archive, trust):
    """The app of each line of an archive, by number; of lines without one nothing."""
    command = [mill, "decode", str(archive), "--trust", str(trust)]
    decoding = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in decoding.stdout:
        told = json.loads(line)
        bundle = (told.get("receipt") or {}).get("bundle_id")
        if bundle:
            yield told["line"], bundle
    # Minted archives have lines that are rejected.
    if decoding.wait() not in (0, 65):
        raise SystemExit(f"decode {archive} ended with {decoding.returncode}")


def of_one_app(mill, minted, count):
    """Lines of the app that most lines are of, and a ninth of as many of others; by archive, their numbers."""
    found = {archive: dict(apps(mill, archive, minted / "root.pem")) for archive in archives_in(minted)}
    [(hot, _)] = collections.Counter(app for told in found.values() for app in told.values()).most_common(1)
    shares = {True: count * 9 // 10, False: count // 10}
    sums = collections.Counter(app == hot for told in found.values() for app in told.values())
    chosen = {}
    for archive, told in found.items():
        chosen[archive] = set()
        for of_hot, wanted in shares.items():
            numbers = [line for line, app in told.items() if (app == hot) == of_hot]
            chosen[archive] |= set(numbers[: len(numbers) * wanted // sums[of_hot]])
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill")
    parser.add_argument("minted", type=Path)
    parser.add_argument("kind", choices=["even", "owner", "app", "document"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40_000)
    given = parser.parse_args()
    given.folder.mkdir()
    shutil.copy(given.minted / "root.pem", given.folder)
    files = archives_in(given.minted)
    chosen = of_one_app(given.mill, given.minted, given.count) if given.kind == "app" else {}
    for archive in files:
        if given.kind == "app":
            lines = (line for number, line in enumerate(read(archive), 1) if number in chosen[archive])
        else:
            lines = zip(range(given.count // len(files)), read(archive))
            change = {"owner": owner, "document": document}.get(given.kind)
            lines = change(lines) if change else (line for _, line in lines)
        with gzip.open(given.folder / archive.name, "wb", compresslevel=6) as written:
            written.writelines(lines)


if __name__ == "__main__":
    main()
