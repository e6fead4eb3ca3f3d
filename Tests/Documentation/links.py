#!/usr/bin/env python3
"""Checks what of the pages can be checked without running them: every link to a file or a heading of the repository
leads there, every picture is small, README and the pages that begin at a reader's first task are short.

    Tests/Documentation/links.py
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Words, as `wc -w` counts them.
MOST_WORDS = {"README.md": 900, **dict.fromkeys(
    ["docs/operator.md", "docs/analyst.md", "docs/fraud-team.md", "docs/developer.md", "docs/line-forms.md"], 700)}
LARGEST_PICTURE = 150_000  # bytes


def listed(*patterns):
    names = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in names.split() if (ROOT / name).is_file()]


def prose(page):
    """The page's lines with their numbers, without blocks of code and code in a line."""
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, re.sub(r"`[^`]*`", "", line)


def anchors(page):
    """The anchors that GitHub gives to the page's headings."""
    found, inside = set(), False
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            inside = not inside
        elif not inside and (heading := re.match(r"#+ (.+)", line)):
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = sum(1 for one in found if one == anchor or re.fullmatch(re.escape(anchor) + r"-\d+", one))
            found.add(f"{anchor}-{count}" if count else anchor)
    return found


def link_faults(page):
    name = page.relative_to(ROOT)
    for number, line in prose(page):
        for target in re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", line):
            target = target[0] or target[1]
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                yield f"{name}:{number}: there is no {target}"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                yield f"{name}:{number}: {path or name} has no heading for #{anchor}"


def main():
    pages = listed("*.md")
    faults = [fault for page in pages for fault in link_faults(page)]
    for name, most in MOST_WORDS.items():
        words = len((ROOT / name).read_text().split())
        if words > most:
            faults.append(f"{name}: {words} words, {most} at most")
    for picture in listed("docs/pictures"):
        if picture.stat().st_size > LARGEST_PICTURE:
            faults.append(f"{picture.relative_to(ROOT)}: {picture.stat().st_size} bytes, {LARGEST_PICTURE} at most")
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        sys.exit(1)
    print(f"{len(pages)} pages: every link leads somewhere")


main()
