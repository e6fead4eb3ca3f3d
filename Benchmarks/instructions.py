#!/usr/bin/env python3
"""Counts the instructions of decode and ingest by valgrind, and compares them with those of instructions.json.

    Benchmarks/instructions.py MILL            ends with 1 where a figure rose by more than 1 %
    Benchmarks/instructions.py MILL --write    writes the figures into instructions.json

From run to run, times differ by a fifth and these counts by less than 1 %, since threads wait for one another: where a
figure is too high, or is to be written, everything is counted three times, and the least counts. Each command reads an
archive of no line, one of 1,500 lines and one of 4,500, of receipts and of signed strings, with one worker and without
models. The first count is that of the start; ingest makes its database then. The count of a line is the difference of
the other two, divided by 3,000. The file names the versions of Debian's libraries and the processor's abilities with
which its figures were counted; with others nothing is compared.
"""

import argparse
import gzip
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import archives
import measure

FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.json")
LENGTHS = (0, 1500, 4500)
# Options of receiptmint. Other days or another seed are other lines.
MINTED = {"receipt": ["--signed", "0"], "signed": ["--signed", "1"]}
SAME = ["--clean", "--seed", "56", "--last-day", "2026-11-01"]
COMMANDS = {
    "decode": lambda path, root, folder: ["decode", path, "--trust", root, "--jobs", "1"],
    "ingest": lambda path, root, folder: [
        "ingest", path, "--trust", root, "--jobs", "1", "--database", os.path.join(folder, "mill.sqlite"), "--no-refresh",
    ],
}
COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")
# How far a figure may be above the stored one.
ALLOWED = 1.01
RUNS = 3


def counted(mill, arguments, folder):
    """Instructions of a command."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    # Without this, Swift seeds its hash tables at random.
    found = measure.run([*valgrind, mill, *arguments], folder, {"SWIFT_DETERMINISTIC_HASHING": "1"})
    match = COUNTED.search(found.errors)
    if not match:
        raise measure.Failed(f"valgrind counted nothing: {found.errors[-300:]}")
    return int(match[1].replace(",", ""))


def minted(folder, kind):
    """Archives of each length, and the trust anchors."""
    out = os.path.join(folder, f"minted-{kind}")
    measure.run([archives.MINT, "--output", out, "--count", str(max(LENGTHS)), *MINTED[kind], *SAME], folder)
    lines = list(archives.read(os.path.join(out, "receipts-001.jsonl.gz")))
    # Minted lines are in the order of their dates, so that the first 1,500 would be unlike the others.
    random.Random(56).shuffle(lines)
    for length in LENGTHS:
        with gzip.open(os.path.join(out, f"{length}.jsonl.gz"), "wb") as file:
            file.writelines(lines[:length])
    return out


# By these, OpenSSL and ISA-L choose their routines.
FLAGS = {"adx", "avx2", "avx512f", "bmi2", "pclmulqdq", "sha_ni", "vaes"}


def circumstances():
    """The libraries and the processor's abilities that decide how many instructions a command needs."""
    query = ["dpkg-query", "--show", "--showformat", "${Package} ${Version}\n", "libsqlite3-0", "libssl3*", "libisal2"]
    try:
        found = subprocess.run(query, capture_output=True, text=True, check=False).stdout
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except FileNotFoundError:
        return "unknown"
    libraries = sorted(line.strip() for line in found.splitlines() if line.split()[1:])
    return ", ".join([*libraries, *sorted(FLAGS.intersection(flags))])


def prepared(mill, folder):
    """The program without symbols, and what it reads by kind of line."""
    stripped = os.path.join(folder, "receiptmill")
    # Valgrind would read the symbols of the whole program at each start.
    subprocess.run(["strip", "-o", stripped, mill], check=True)
    return stripped, {kind: minted(folder, kind) for kind in MINTED}


def count_all(stripped, outs, folder):
    """Instructions of each command, by kind of line and length."""
    wanted = list(itertools.product(COMMANDS, MINTED, LENGTHS))

    def count(one):
        command, kind, length = one
        work = tempfile.mkdtemp(dir=folder)
        path, root = os.path.join(outs[kind], f"{length}.jsonl.gz"), os.path.join(outs[kind], "root.pem")
        return counted(stripped, COMMANDS[command](path, root, work), work)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(wanted, pool.map(count, wanted)))


def figures(counts):
    """Instructions of the start and of a line, by command and kind of line."""
    found = {}
    for command, kind in itertools.product(COMMANDS, MINTED):
        start, short, long = (counts[command, kind, length] for length in LENGTHS)
        found[f"{command}, start"] = start
        found[f"{command}, {kind} line"] = round((long - short) / (LENGTHS[2] - LENGTHS[1]))
    return found


def measured(mill, folder, known, writes):
    """The figures, and the names of those that are too high."""
    stripped, outs = prepared(mill, folder)
    counts = {}
    for _ in range(RUNS):
        counts = {one: min(count, counts.get(one, count)) for one, count in count_all(stripped, outs, folder).items()}
        found = figures(counts)
        risen = [name for name, count in found.items() if count > known.get(name, count) * ALLOWED]
        if not risen and not writes:
            break
    return found, risen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mill", help="the receiptmill to measure")
    parser.add_argument("--write", action="store_true", help="write the figures into instructions.json")
    given = parser.parse_args()
    try:
        with open(FIGURES, encoding="utf-8") as file:
            known = json.load(file)
    except FileNotFoundError:
        known = {"counted with": "", "instructions": {}}
    folder = tempfile.mkdtemp(prefix="instructions-")
    try:
        comparable = known["instructions"] if known["counted with"] == circumstances() else {}
        found, risen = measured(given.mill, folder, comparable, given.write)
    except measure.Failed as failure:
        sys.exit(str(failure))
    finally:
        shutil.rmtree(folder)
    for name, count in found.items():
        former = known["instructions"].get(name)
        change = f"{count / former - 1:+8.2%}" if former else "     new"
        print(f"{name:22} {count:13,d} {change}")
    if given.write:
        with open(FIGURES, "w", encoding="utf-8") as file:
            json.dump({"counted with": circumstances(), "instructions": found}, file, indent=2)
            file.write("\n")
        return
    if known["counted with"] != circumstances():
        print(f"!! counted with {circumstances()}, unlike instructions.json: NOT COMPARED !!", file=sys.stderr)
        return
    if risen or found.keys() != known["instructions"].keys():
        sys.exit(f"not as instructions.json says: {', '.join(risen) or 'other figures'}; find what takes more,"
                 " or store new figures with --write and say why in that commit")


if __name__ == "__main__":
    main()
