#!/usr/bin/env python3
"""Holds the columns that reports' headers name against sql/column-names.tsv: one
name for one thing, with one type. Lists columns that it lacks or gives another
type, names that no report has, and bands such as 1-2, which spreadsheets take for
dates. Exits with 1 where there are any.

A unit that only says what is counted, as in integer(lines), is no part of a type;
one that says what a number means is.

    .ci/column-names.py [FOLDER]…    reports' folders, else sql/reports
"""
import pathlib
import re
import sys

NAMES = pathlib.Path("sql/column-names.tsv")
HEADING = "name\ttype\tmeaning"
MEANING_UNITS = {"days", "seconds", "bytes", "milliunits", "currency"}
COLUMNS = re.compile(r"^-- Columns:\n((?:--   .*\n)+)", re.MULTILINE)
COLUMN = re.compile(r"--   (?P<name>[a-z]\w*) +(?P<type>[a-z]+(?:\(\w+\))?) +(?P<meaning>\S.*)")
BAND = re.compile(r"'\d{1,3} ?[-–] ?\d{1,3}'")


def plain_type(stated):
    base, _, unit = stated.rstrip(")").partition("(")
    return f"{base}({unit})" if unit in MEANING_UNITS else base


def dictionary():
    """Type of each name, and what is wrong with the file."""
    types, faults = {}, []
    heading, *lines = NAMES.read_text().splitlines()
    if heading != HEADING:
        faults.append(f"{NAMES}:1: not the heading {HEADING!r}")
    for number, line in enumerate(lines, 2):
        fields = line.split("\t")
        if len(fields) != 3 or not all(fields):
            faults.append(f"{NAMES}:{number}: not a name, a type and a meaning, parted by tabs")
        elif fields[0] in types:
            faults.append(f"{NAMES}:{number}: {fields[0]} stands in it twice")
        else:
            types[fields[0]] = fields[1]
    if list(types) != sorted(types):
        faults.append(f"{NAMES}: not in the order of the names: sort it by LC_ALL=C sort")
    return types, faults


def columns(text):
    """Name, type and meaning of a header's columns."""
    found = COLUMNS.search(text)
    for line in found[1].splitlines() if found else []:
        column = COLUMN.match(line)
        if column:
            yield column["name"], plain_type(column["type"]), column["meaning"]


def main():
    types, faults = dictionary()
    used = set()
    for folder in sys.argv[1:] or ["sql/reports"]:
        for path in sorted(pathlib.Path(folder).rglob("*.sql")):
            text = path.read_text()
            for name, stated, meaning in columns(text):
                used.add(name)
                if name not in types:
                    faults.append(
                        f"{path}: {name} is not in {NAMES}: use the name that means the same there, or add this "
                        f"line, with the meaning in every report:\n{name}\t{stated}\t{meaning}")
                elif types[name] != stated:
                    faults.append(
                        f"{path}: {name} is {stated} here and {types[name]} in {NAMES}: give the column that type, "
                        "or another name")
            for number, line in enumerate(text.splitlines(), 1):
                if BAND.search(line):
                    faults.append(f"{path}:{number}: a band with a hyphen: write '1 to 2', '6 or more'")
    if not sys.argv[1:]:
        faults += [f"{NAMES}: no report has {name}: delete its line" for name in types if name not in used]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
