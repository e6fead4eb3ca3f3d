#!/usr/bin/env python3
"""Finds words for which the project has another one, so that one thing keeps one name.

Looks through Sources, sql, pipelines, python, docs and the README. Fails with file, line, the word that
was found and the one to use.
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


def main():
    faults = []
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
