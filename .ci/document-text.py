#!/usr/bin/env python3
"""Finds texts of strangers that are compared, hashed or searched as `String`, which takes the
square of their length (Sources/MillBytes/DocumentText.swift says why).

Looks through the targets that read documents, lines or rows of a database for code that makes
a `String` of bytes, keys a dictionary or a set by a `String`, or compares or searches a `String`
by its characters. Some uses of a `DocumentText` look the same in the source. So
.ci/document-text.txt lists the places that someone has examined: files whose texts are all our own
or the operator's, and single lines of other files. Fails for any other place, and for entries of
the list that match no code.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / ".ci/document-text.txt"
TARGETS = [
    "MillBytes", "MillDigest", "ReceiptFormat", "ReceiptTrust", "SignedDataFormat", "MillJSON", "ReceiptVerification", "DecodedLines",
    "ReceiptVerdicts", "ReceiptMillC", "ReceiptInspection", "ReceiptWarehouse", "DatabaseCare", "ReceiptReports", "RefundAnswers",
    "ReportHeaders",
]
USES = {
    "keys by String": r"\bSet<(?:String|Substring|Character)>|\[\[?(?:String|Substring|Character)\]? ?:|\bDictionary<String",
    "String of bytes": r"\bString\((?:decoding|validating|cString|bytes):",
    "comparison with a text": r"(?:==|!=|~=) *\"|\"[^\"]*\" *(?:==|!=)|^case \"|\bcase [^:]*, \"",
    "search by characters": r"\.(?:hasPrefix|hasSuffix|lowercased|uppercased|localized\w+|range\(of:|components\(separatedBy:)"
        r"|\.(?:contains|replacing|replacingOccurrences|split|firstIndex|firstRange|trimPrefix)\((?:of: |separator: )?\"",
}


def code(line):
    """The code of a line, without its comment."""
    return re.sub(r"(?:^|\s)//.*", "", line).strip()


def listed():
    """The reasons for whole files by path, and the examined lines with their paths."""
    files, lines, path = {}, set(), None
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("    "):
            if path is None:
                sys.exit(f"{LIST}:{number}: a line of code without the file that it stands in")
            lines.add((path, line.strip()))
        else:
            path, colon, reason = line.partition(":")
            if colon and reason.strip():
                files[path] = reason.strip()
    return files, lines


def main():
    files, lines = listed()
    used, faults = set(), []
    for target in TARGETS:
        for file in sorted((ROOT / "Sources" / target).rglob("*.swift")):
            path = str(file.relative_to(ROOT / "Sources"))
            for number, line in enumerate(file.read_text().splitlines(), 1):
                text = code(line)
                for use, pattern in USES.items():
                    if not re.search(pattern, text):
                        continue
                    if path in files:
                        used.add(path)
                    elif (path, text) in lines:
                        used.add((path, text))
                    else:
                        faults.append(f"Sources/{path}:{number}: {use}: {text}")
                    break
    for entry in sorted((set(files) | lines) - used, key=str):
        faults.append(f".ci/document-text.txt: nothing needs the entry {entry}")
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        sys.exit(
            "Texts of documents, lines and databases are DocumentText. Where a text is our own, or compared as "
            "DocumentText, add the line to .ci/document-text.txt.")


main()
