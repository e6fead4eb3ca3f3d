#!/usr/bin/env python3
"""Holds what decode writes against docs/decode-format.schema.json.

    Tests/Decoding/validate.py MILL

Every line of the sample, in every form that the options make, with keys that
the schema does not name taken for faults; and lines that are wrong, each in one
way, which the schema has to refuse. Needs `pip install jsonschema`.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data-samples"
ARCHIVE = SAMPLE / "receipts-001.jsonl.gz"


def closed(schema):
    """The schema with every object's keys named."""
    schema = copy.deepcopy(schema)

    def close(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                node["additionalProperties"] = False
            for child in node.values():
                close(child)

    close(schema)
    return schema


def decoded(mill, arguments, stdin=None):
    command = [mill, "decode", "--trust", str(SAMPLE / "root.pem"), *arguments]
    run = subprocess.run(command, input=stdin, capture_output=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def signed(mill, folder):
    """Archives of signed strings, and what trusts them."""
    mint = os.environ.get("MINT") or Path(mill).with_name("receiptmint")
    command = [mint, "--output", folder, "--count", "300", "--seed", "7", "--signed", "0.9",
               "--of-2026", "0.4"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [str(path) for path in sorted(folder.glob("*.jsonl.gz"))] + ["--trust", str(folder / "root.pem")]


def broken(whole, rejected, several, notified):
    """Lines that are wrong, by what is wrong with them."""
    def changed(line, change):
        line = copy.deepcopy(line)
        change(line)
        return line

    return {
        "another schema": changed(whole, lambda line: line.update(schema=3)),
        "no schema": changed(whole, lambda line: line.pop("schema")),
        "an archive without a line": changed(whole, lambda line: line.pop("line")),
        "a line without an archive": changed(whole, lambda line: line.pop("archive")),
        "no purchases": changed(whole, lambda line: line.pop("purchases")),
        "both": changed(whole, lambda line: line.update(rejection=rejected["rejection"])),
        "neither": changed(rejected, lambda line: line.pop("rejection")),
        "an unknown key": changed(whole, lambda line: line["receipt"].update(colour="red")),
        "an unknown verdict": changed(whole, lambda line: line["receipt"].update(verdict="good")),
        "a null": changed(whole, lambda line: line["submission"].update(device_id=None)),
        "a date as text": changed(
            whole, lambda line: line["receipt"].update(receipt_creation_date_ms="2024-02-29T12:00:00Z")),
        "a digest in capitals": changed(
            whole, lambda line: line["receipt"].update(sha256=line["receipt"]["sha256"].upper())),
        "no transaction": changed(whole, lambda line: line["purchases"][0].pop("transaction_id")),
        "a version without its key": changed(whole, lambda line: line["receipt"].pop("app_version_key")),
        "a document without its number": changed(several, lambda line: line["documents"][0].pop("document")),
        "terms of a notification": changed(notified, lambda line: line.update(terms={})),
        "a notification without a type": changed(notified, lambda line: line["notification"].pop("notification_type")),
        "a part without a receipt": changed(notified, lambda line: line["parts"][0].pop("receipt")),
        "no state of a notification": changed(notified, lambda line: line.pop("notification")),
        "last as false": changed(whole, lambda line: line.update(last=False)),
    }


def main(mill):
    schema = json.loads((ROOT / "docs" / "decode-format.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(closed(schema))
    text = subprocess.run(["gzip", "-dc", ARCHIVE], capture_output=True, check=True).stdout
    # No string of the three can be read; the second is a receipt's place.
    several = b'{"jws":"a.b.c","receipt":"****","signedTransactions":["d.e.f"]}\n'
    odd = several + b'\n{"receipt":null}\n[1]\n"\\u0000"\n{"receipt":"AAAA","device_id":"\\ud83d\\ude00"}\n'
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder, "key")
        key.write_bytes(os.urandom(32))
        forms = {
            "an archive": decoded(mill, [str(ARCHIVE)]),
            "standard input": decoded(mill, [], text),
            "odd lines": decoded(mill, ["--keep-rejected"], odd),
            "kept": decoded(mill, [str(ARCHIVE), "--keep-receipts", "--keep-rejected", "--app", "com.example.lumen"]),
            "named": decoded(mill, [str(ARCHIVE), "--pseudonym-key", str(key)]),
        }
        strings = signed(mill, Path(folder, "signed"))
        forms |= {
            "signed": decoded(mill, strings),
            "signed, kept and named": decoded(mill, [*strings, "--keep-receipts", "--pseudonym-key", str(key)]),
        }
    count = 0
    for form, lines in forms.items():
        for number, line in enumerate(lines, 1):
            count += 1
            for fault in validator.iter_errors(line):
                sys.exit(f"{form}, line {number}: {fault.json_path}: {fault.message[:200]}")
    met = {key for lines in forms.values() for line in lines for key in line}
    if met != set(schema["properties"]):
        sys.exit(f"no line holds {sorted(set(schema['properties']) - met)}")

    archive = forms["an archive"]
    whole = next(line for line in archive if line.get("purchases"))
    rejected = next(line for line in archive if "rejection" in line)
    several = forms["odd lines"][0]
    notified = next(line for line in forms["signed"] if line.get("parts"))
    accepted = [what for what, line in broken(whole, rejected, several, notified).items() if validator.is_valid(line)]
    if accepted:
        sys.exit(f"the schema accepts: {', '.join(accepted)}")
    print(f"{count} lines are as the schema says, and it refuses what is wrong")


if __name__ == "__main__":
    main(sys.argv[1])
