#!/usr/bin/env python3
"""Searches files by their bytes for identifiers of a person, and says where they stand.

    find_person.py FOLDER IDENTIFIER...

Knows nothing of ReceiptMill. Identifiers are looked for as text in three letter cases, without
hyphens, as the bytes of a UUID, in hexadecimal, in UTF-16, in base64 wherever a group begins, in
base64 of that, and in whatever is packed by zlib or gzip, at any place of a file and in any value of
an SQLite database. Writes a line for each place: a file, or a file and a table.
"""

import base64
import re
import sqlite3
import sys
import uuid
import zlib
from pathlib import Path

LAYERS = 3
# Beginnings of gzip, and of zlib at each of its levels.
PACKED = re.compile(rb"\x1f\x8b|\x78[\x01\x5e\x9c\xda]")


def base64_needles(wanted):
    """What of the text is the same whatever stands around it, for each of the three beginnings of a group."""
    found = set()
    for before in range(3):
        whole = base64.b64encode(bytes(before) + wanted).rstrip(b"=")
        # Characters that also depend on the bytes before, or behind.
        first = -(-before * 8 // 6)
        last = (before + len(wanted)) * 8 // 6
        text = whole[first:last]
        found |= {text, text.replace(b"+", b"-").replace(b"/", b"_")}
    return {needle for needle in found if len(needle) >= 4}


def needles(identifier):
    texts = {identifier, identifier.lower(), identifier.upper()}
    try:
        number = uuid.UUID(identifier)
        texts |= {number.hex, number.hex.upper()}
        raw = {number.bytes}
    except ValueError:
        raw = set()
    plain = {text.encode() for text in texts} | raw
    found = set(plain)
    for text in texts:
        found |= {text.encode("utf-16-le"), text.encode("utf-16-be")}
    for wanted in plain:
        found |= {wanted.hex().encode(), wanted.hex().upper().encode()}
        for once in base64_needles(wanted):
            found.add(once)
            found |= base64_needles(once)
    return sorted(found, key=len)


def packed(data):
    """What zlib or gzip packed at any place of the bytes."""
    for match in PACKED.finditer(data):
        start = match.start()
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            text = inflater.decompress(data[start : start + (1 << 24)], 1 << 24)
        except zlib.error:
            continue
        if len(text) > 3:
            yield text


def stands(data, wanted, layer=0):
    if any(needle in data for needle in wanted):
        return True
    return layer < LAYERS and any(stands(text, wanted, layer + 1) for text in packed(data))


def tables(path, wanted):
    """Tables of a database in which a text or a blob holds the person, whole as SQLite gives it: no number can."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    database.text_factory = bytes
    names = [name.decode() for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for name in names:
        for row in database.execute(f'SELECT * FROM "{name}"'):
            if stands(b"\n".join(value for value in row if isinstance(value, bytes)), wanted):
                yield name
                break
    database.close()


def main(folder, identifiers):
    wanted = [needle for identifier in identifiers for needle in needles(identifier)]
    for path in sorted(Path(folder).rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(folder)
        data = path.read_bytes()
        if stands(data, wanted):
            print(name)
        if data.startswith(b"SQLite format 3\0"):
            for table in tables(path, wanted):
                print(f"{name} {table}")


main(sys.argv[1], sys.argv[2:])
