"""The archive of a run, and what earlier archives answered.

While a run is at work, its answers are lines of a plain file, `fetched-TIME.part`, each on the disk before the next question is
asked. At the end the file becomes an archive in one step; the part of a run that was killed becomes one at the next run's start.
"""

from __future__ import annotations

import base64
import csv
import fcntl
import gzip
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

from .faults import Ended
from .questions import PAGES, Key, Question

STAMP = "%Y%m%dT%H%M%SZ"
# Without a signed string a line is a rejection. A page's token is none: it has no dots.
SIGNED = re.compile(rb'"eyJ[\w-]+\.([\w-]+)\.[\w-]+"')
ASKED = ("environment", "bundle_id", "endpoint", "identifier", "outcome", "error_code", "error_message")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Two runs would take each other's unfinished file for one of a run that was killed."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Ended(os.EX_TEMPFAIL, f"{folder}: another run writes here", "run it again when that has ended") from None
        yield
    finally:
        os.close(handle)


def new_stamp(folders: Iterable[Path], now: datetime) -> str:
    """The time in the name of a new archive, later than that of all others: the newest name has the newest page of a question,
    even after the clock was set back."""
    named = (re.match(r"(?:fetched|asked)-(\d{8}T\d{6}Z)\.", one.name) for folder in folders for one in folder.glob("*Z.*"))
    stamps = [one[1] for one in named if one]
    known = []
    for one in stamps:
        with suppress(ValueError, OverflowError):  # A name that is no time is not one of ours.
            known.append(datetime.strptime(one, STAMP).replace(tzinfo=timezone.utc) + timedelta(seconds=1))
    return max([now, *known]).strftime(STAMP)


class Archive:
    def __init__(self, folder: Path, stamp: str) -> None:
        self.part = folder / f"fetched-{stamp}.part"

    def write(self, question: Question, answered: datetime, body: bytes) -> None:
        """The answer as it came. JSON has line breaks only between its values, where a blank means the same."""
        if not SIGNED.search(body):
            return
        names = ("environment", "bundle_id", "endpoint", "identifier")
        asked = {"submitted_at": f"{answered:%Y-%m-%dT%H:%M:%SZ}", "question": dict(zip(names, question.key))}
        head = json.dumps(asked, separators=(",", ":"))[:-1].encode()
        with self.part.open("ab") as file:
            file.write(head + b',"answer":' + body.strip().translate(bytes.maketrans(b"\r\n", b"  ")) + b"}\n")
            file.flush()
            os.fsync(file.fileno())


def finish(folder: Path) -> list[Path]:
    """Makes archives of unfinished files. A line whose end is missing was being written when its run was killed."""
    return [one for part in sorted(folder.glob("fetched-*.part")) if (one := finished(part))]


def finished(part: Path) -> Path | None:
    archive, temporary = part.with_suffix(".jsonl.gz"), part.with_suffix(".tmp")
    lines = 0
    with part.open("rb") as source, temporary.open("wb") as file:
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            for line in source:
                if line.endswith(b"\n"):
                    packed.write(line)
                    lines += 1
        file.flush()
        os.fsync(file.fileno())
    if lines:
        placed(temporary, archive)
    else:
        temporary.unlink()
    part.unlink()
    return archive if lines else None


def placed(temporary: Path, target: Path) -> None:
    os.replace(temporary, target)
    handle = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def originals(body: bytes) -> set[str]:
    """The original transactions that an answer's signed strings name. Nothing is verified here."""
    found: set[str] = set()
    for payload in SIGNED.findall(body):
        try:
            named = json.loads(base64.urlsafe_b64decode(payload + b"==")).get("originalTransactionId")
        except (ValueError, AttributeError, RecursionError):
            continue
        if isinstance(named, str):
            found.add(named)
    return found


def answered_before(
    folders: Iterable[Path], asked: Iterable[Question], warn: Callable[[str], None]
) -> dict[Key, str | None]:
    """Questions that archives answer. A history or refunds that are asked again have the `revision` of the last answer, from
    which Apple sends only what is newer."""
    wanted = {one.key for one in asked if PAGES.get(one.endpoint) == "revision"}
    found: dict[Key, str | None] = {}
    archives = [one for folder in folders for one in folder.glob("fetched-*.jsonl.gz")]
    for archive in sorted(archives, key=lambda one: one.name):
        try:
            with gzip.open(archive) as lines:
                found.update(pages(lines, wanted))
        except FileNotFoundError:
            continue  # A run has moved it since.
        except (OSError, EOFError, zlib.error, ValueError, TypeError, AttributeError, KeyError, RecursionError) as fault:
            warn(f"{archive}: this can't be read to its end ({fault}); what it has behind is asked for again")
    return found


def pages(lines: Iterable[bytes], wanted: set[Key]) -> Iterator[tuple[Key, str | None]]:
    for line in lines:
        # Of most lines only the beginning is read: they answer questions that are not asked again.
        asked = json.loads(line.partition(b',"answer":')[0] + b"}").get("question", {})
        key = (asked.get("environment"), asked.get("bundle_id"), asked.get("endpoint"), asked.get("identifier"))
        revision = json.loads(line)["answer"].get("revision") if key in wanted else None
        yield key, revision if isinstance(revision, str) else None


def last_asked(folders: Iterable[Path]) -> dict[Key, str]:
    """When each question was last asked, as the name of the list says that has it."""
    found: dict[Key, str] = {}
    lists = [one for folder in folders for one in folder.glob("asked-*.csv")]
    for file in sorted(lists, key=lambda one: one.name):
        # Where a list can't be read, its questions are asked sooner, which loses nothing.
        with suppress(csv.Error, OSError), file.open(encoding="utf-8", errors="replace", newline="") as rows:
            for row in csv.reader(rows):
                if len(row) == len(ASKED):
                    found[row[0], row[1], row[2], row[3]] = file.name
    return found


def write_asked(folder: Path, stamp: str, rows: Iterable[tuple[Key, str, int | None, str]]) -> None:
    temporary = folder / f"asked-{stamp}.tmp"
    with temporary.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([ASKED, *((*key, *told) for key, *told in rows)])
        file.flush()
        os.fsync(file.fileno())
    placed(temporary, temporary.with_suffix(".csv"))
