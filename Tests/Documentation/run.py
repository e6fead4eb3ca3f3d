#!/usr/bin/env python3
"""Runs the code blocks of all pages, and prints those that can't be run here.

    Tests/Documentation/run.py MILL [PAGE…]
    Tests/Documentation/run.py --within ROOT PAGE…    in a bare Debian at ROOT, into which the package was installed

Blocks of a page run in order, in a folder of the page's own that has the samples, `sql/` and `pipelines/`, and
the databases that `make demo` makes; every page but README finds `mill.sqlite` there as well, loaded from the
sample of receipts. A block's language says what is done with it:

    sh       has to end with 0
    console  commands behind `$ `, and what they print; `…` stands for anything
    sql      has to run in the shell of SQLite, on mill.sqlite
    json     each line is JSON, in which `…` stands for characters
    python   has to end with 0, with the package of python/
    swift    has to compile against the library products
    c        has to compile against the header of libreceiptmill
    text     is nothing to run

A block behind `<!-- not run: REASON -->` is counted, and printed with its reason. One behind `<!-- needs: NAME… -->`
runs where this Python can import all of these modules (`make test-documentation` installs them if it can), and where
the library is built if one is `libreceiptmill`. One without language is a fault, as is a page whose first paragraph is
missing: it says who reads the page, and what the page answers.

The folders and the user of an installed package need not be there: `/etc/receiptmill`, `/var/spool/receipts` and others
are folders within the page's own, and what stands behind `sudo -u receiptmill` or `runuser -u receiptmill --` runs as
the user of the test.
"""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The bare Debian, or none.
WITHIN, *PAGES = sys.argv[2:] if sys.argv[1] == "--within" else ["", *sys.argv[2:]]
MILL = Path(WITHIN, "usr/bin/receiptmill") if WITHIN else Path(sys.argv[1]).resolve()
APPS = "com.example.lumen:100:ios com.example.tideline:1.10:ios com.example.chord:2022.4.0.1765:ios com.example.lumen.mac:4.0:macos"
PATIENCE = 120  # seconds for a block
# The folders of an installed package; each is a folder within a page's own.
INSTALLED = ["/etc/receiptmill", "/var/lib/receiptmill", "/var/spool/receipts", "/var/spool/store-reports",
             "/var/backups/receiptmill", "/usr/share/doc/receiptmill"]
AS_SERVICE = r"\b(?:sudo -u receiptmill|runuser -u receiptmill --) "
LIBRARY = MILL.parent / "libreceiptmill.so"


@dataclass
class Block:
    page: Path
    line: int
    language: str
    reason: str | None
    needs: list[str]
    text: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"


class Fault(Exception):
    pass


def blocks(page):
    """The fenced blocks of a page, in order."""
    reason, needs, opened = None, [], None
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        if opened:
            if line.strip() == "```":
                yield Block(page, *opened[:4], "".join(one + "\n" for one in opened[4]))
                opened = None
            else:
                opened[4].append(line)
        elif fence := re.fullmatch(r"```(\w*)", line):
            opened, reason, needs = (number, fence[1], reason, needs, []), None, []
        elif marker := re.fullmatch(r"<!-- not run: (.+) -->", line):
            reason = marker[1]
        elif marker := re.fullmatch(r"<!-- needs: (.+) -->", line):
            needs = re.split(r",\s*", marker[1])
        elif line.strip():
            reason, needs = None, []
    if opened:
        raise Fault(f"{page}:{opened[0]}: a block without end")


def started(name, base, bare):
    """A page's folder."""
    folder = base / name.replace("/", "-")
    shutil.copytree(base / "demo", folder / "demo")
    (folder / "data-samples").mkdir()
    for file in (ROOT / "data-samples").iterdir():
        (shutil.copytree if file.is_dir() else shutil.copy)(file, folder / "data-samples" / file.name)
    (folder / "Tests").mkdir()
    (folder / "Tests/RealReceipts").symlink_to(ROOT / "Tests/RealReceipts")
    for link in ("sql", "pipelines", "Sources", ".build"):
        (folder / link).symlink_to(ROOT / link)
    for file in ("receipts-001.jsonl.gz", "root.pem"):
        shutil.copy(ROOT / "data-samples" / file, folder)
    if not bare:
        shutil.copy(folder / "demo/mill.sqlite", folder)
    if LIBRARY.exists():
        (folder / LIBRARY.name).symlink_to(LIBRARY)
    for name in INSTALLED:
        (folder / name[1:]).mkdir(parents=True)
    configuration = (ROOT / "packaging/nightly.yaml").read_text()
    (folder / "etc/receiptmill/nightly.yaml").write_text(moved(configuration, folder))
    (folder / "usr/share/doc/receiptmill/examples").symlink_to(folder / "data-samples")
    return folder


def moved(text, folder):
    """A text with the page's folders in the place of an installed package's."""
    return re.sub(rf"(?<![\w./-])({'|'.join(INSTALLED)})", rf"{folder}\1", re.sub(AS_SERVICE, "", text))


def commands(base):
    """The commands that the Python package installs, by the Python that runs this."""
    (base / "commands").mkdir()
    for part in ("duckdb", "spark", "parquet", "datasette"):
        command = base / f"commands/receiptmill-{part}"
        program = f"import sys; from receiptmill import _commands; sys.exit(_commands.{part}())"
        command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{program}' \"$@\"\n")
        command.chmod(0o755)


def lacking(needs):
    """What a block needs that isn't there."""
    there = {"libreceiptmill": LIBRARY.exists()}
    return [name for name in needs if not there.get(name, importlib.util.find_spec(name) is not None)]


def demo(base):
    """The databases that `make demo` makes."""
    (base / "demo").mkdir()
    apps = [word for app in APPS.split() for word in ("--app", app)]
    for sample, name, options in (("data-samples", "mill", apps), ("data-samples/signed", "signed", [])):
        command = [MILL, "ingest", ROOT / sample / "receipts-001.jsonl.gz", "--trust", ROOT / sample / "root.pem"]
        database = base / f"demo/{name}.sqlite"
        subprocess.run([*command, "--database", database, "--quiet", *options], check=True)


def run(command, folder, text=None):
    """What a command prints, and its exit status."""
    if WITHIN:
        inside = ["chroot", WITHIN, "env", "-i", "-C", "/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *command]
        done = subprocess.run(
            inside, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
        return done.stdout, done.returncode
    path = os.pathsep.join([str(MILL.parent), str(folder.parent / "commands"), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PATH": path, "PYTHONPATH": str(ROOT / "python"), "MPLBACKEND": "agg"}
    if LIBRARY.exists():
        environment["RECEIPTMILL_LIBRARY"] = str(LIBRARY)
    try:
        done = subprocess.run(
            [moved(str(word), folder) for word in command], cwd=folder, input=text and moved(text, folder), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | environment, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Fault(f"takes longer than {PATIENCE} s") from None
    return done.stdout.replace(str(folder) + "/", "/"), done.returncode


def succeed(command, folder, text=None):
    printed, status = run(command, folder, text)
    if status:
        raise Fault(f"exit status {status}\n{printed}")


def console(block, folder):
    """Commands and what they print."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        printed, _ = run(["bash", "-euc", command], folder)
        # A last line that is left out need not be there: a terminal shows more than a file gets.
        pattern = re.sub(r"\\\n…$", "(\n.*)?", re.escape(wanted.rstrip())).replace("…", ".*")
        lines = "\n".join(line.rstrip() for line in printed.splitlines())
        if not re.fullmatch(pattern, lines.rstrip(), re.DOTALL):
            raise Fault(f"{command}\nprints\n{printed}\nand not\n{wanted}")


def compiled(block, folder):
    """A program that imports the library products is checked by the compiler, a manifest by the package manager."""
    if "import PackageDescription" in block.text:
        (folder / "manifest").mkdir()
        (folder / "manifest/Package.swift").write_text(block.text)
        succeed(["swift", "package", "--package-path", "manifest", "dump-package"], folder)
        return
    (folder / "Example.swift").write_text(block.text)
    built = MILL.parent
    # Those of system libraries stand in the sources, those of C targets are written by the build.
    maps = [*(ROOT / "Sources").glob("C*/module.modulemap"), *built.glob("C*.build/module.modulemap")]
    options = ["-I", built / "Modules", *(word for one in maps for word in ("-Xcc", f"-fmodule-map-file={one}"))]
    succeed(["swiftc", "-typecheck", "-parse-as-library", "Example.swift", *options], folder)


def compiled_c(block, folder):
    """A program on libreceiptmill is checked by the compiler of C."""
    (folder / "example.c").write_text(block.text)
    succeed(["clang", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
             "-I", ROOT / "Sources/CReceiptMill/include", "example.c"], folder)


def parsed(block, folder):
    for line in block.text.splitlines():
        json.loads(line)


RUNNERS = {
    "sh": lambda block, folder: succeed(["bash", "-eu"], folder, block.text),
    "console": console,
    "sql": lambda block, folder: succeed(["sqlite3", "-bail", "mill.sqlite"], folder, block.text),
    "json": parsed,
    "python": lambda block, folder: succeed([sys.executable, "-"], folder, block.text),
    "swift": compiled,
    "c": compiled_c,
    "text": None,
}


def faults_of(page, base, left_out, counts):
    folder = None if WITHIN else started(page, base, bare=page == "README.md")
    for block in blocks(page):
        if block.language == "text":
            continue
        if block.reason:
            left_out.append(f"{block.place}: {block.reason}")
            continue
        if missing := lacking(block.needs):
            left_out.append(f"{block.place}: needs {', '.join(missing)}")
            continue
        if block.language not in RUNNERS:
            yield f"{block.place}: no language, or one that nothing runs: {block.language!r}"
            continue
        counts[block.language] = counts.get(block.language, 0) + 1
        try:
            RUNNERS[block.language](block, folder)
        except (Fault, ValueError) as fault:
            yield f"{block.place}: {fault}"


def beginning(page):
    """Each page begins with a heading and a paragraph of who reads it, and what it answers."""
    lines = (ROOT / page).read_text().split("\n")
    if not lines[0].startswith("# ") or lines[1] or not re.match(r"For \w|Written by", lines[2]):
        yield f"{page}: begins with no heading and no paragraph \"For …: …?\""


def main():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
    pages = PAGES or listed.stdout.split()
    left_out, counts, faults = [], {}, []
    with tempfile.TemporaryDirectory(prefix="receiptmill-pages-") as name:
        if not WITHIN:
            demo(Path(name))
            commands(Path(name))
        for page in pages:
            faults += beginning(page)
            try:
                faults += faults_of(page, Path(name), left_out, counts)
            except Fault as fault:
                faults.append(str(fault))
    print(*(f"not run: {one}" for one in left_out), sep="\n")
    print(f"{len(pages)} pages: {sum(counts.values())} blocks run ({counts}), {len(left_out)} not run")
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        sys.exit(1)


main()
