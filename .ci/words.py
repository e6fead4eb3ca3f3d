#!/usr/bin/env python3
"""Finds words for which the project has another one, so that one thing keeps one name, and names of types that a
reader can confuse.

Looks for words in Sources, sql, pipelines, python, docs and the README. Fails with file, line, the word that was
found and the one to use. Two types of Sources that are not private never have the same name, or names of which one has
an s more at its end.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["Sources", "receiptmint/Sources", "sql", "pipelines", "python", "docs"]
ENDINGS = {".swift", ".sql", ".py", ".yaml", ".md", ".h", ".c"}
# What a word is found by, and what is written in its place.
WORDS = {
    r"\b[Gg]reatest(?!\()": "maximum, most or largest",
    r"\b[Ll]east(?=[A-Z_])": "minimum",
    r"\b(?:work|works|worked|working)(?: (?:it|them))? out\b": "compute, or refresh of models",
    r"\bput(?:s|ting)?(?: (?:it|them))? back\b": "restore",
    r"\b[Ff]aults? of ours\b": "internal error",
    r"\bprun(?:e|ing)\b": "delete, or expire for age",
}


TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:public |package |internal |open )?(?:final |indirect |nonisolated )*"
    r"(?:struct|enum|class|actor|protocol|typealias) (\w+)", re.M)


def confusing_types():
    """Types of one name, and pairs whose names differ by an s. A nested type is told apart by the type around it."""
    places = {}
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        for name in TYPE.findall(file.read_text()):
            places.setdefault(name, []).append(str(file.relative_to(ROOT)))
    for name, files in places.items():
        if len(files) > 1:
            yield f"{files[1]}: the type {name} is in {files[0]}, too"
        if name + "s" in places:
            yield f"{places[name + 's'][0]}: the types {name} and {name}s differ by an s"


def main():
    faults = list(confusing_types())
    files = [ROOT / "README.md"] + [f for name in FOLDERS for f in sorted((ROOT / name).rglob("*")) if f.suffix in ENDINGS]
    for file in files:
        if any(part.startswith(".build") for part in file.parts):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for pattern, better in WORDS.items():
                if found := re.search(pattern, line):
                    faults.append(f"{file.relative_to(ROOT)}:{number}: '{found.group()}': write {better}")
    print("\n".join(faults) or f"words: {len(files)} files, none with a word that has a better one")
    return 1 if faults else 0


sys.exit(main())
