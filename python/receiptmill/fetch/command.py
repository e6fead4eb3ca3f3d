"""Asks Apple what the database lacks, and writes the answers as an archive, as they came. It verifies nothing.

    receiptmill report questions --format csv | receiptmill-fetch --into /data/archives \\
        --key AuthKey_ABCDEFGHIJ.p8 --key-id ABCDEFGHIJ --issuer 57246542-96fe-1a63-e053-0824d011072a
    receiptmill ingest '/data/archives/fetched-*.jsonl.gz' --database mill.sqlite

Histories and refunds are asked for from where the folder's archives end. asked-TIME.csv beside the archive lists what was
asked, and how it ended. What was never asked comes first, in the order of the input, then what was asked longest ago.

Exit status: 0 all was asked; 64 wrong usage; 65 a row can't be asked, or Apple refused a question, or the key is none; 66
there is no input or no key; 73, 74 the folder can't be written to; 75 calls or the store's limits ended the run, or some
questions failed for now: the next run asks what is left; 77 Apple refused the key.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime, timezone
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from .._extras import needs
from ..lake.progress import Progress
from .archives import Archive, answered_before, finish, last_asked, locked, new_stamp, write_asked
from .faults import Ended
from .questions import Key, Question, questions


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(os.EX_USAGE, f"fetch: {message}\nhint: {self.prog} --help\n")


def address(text: str) -> str:
    parts = urlsplit(text)
    is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    # The port is read only here, where a wrong one is a wrong argument.
    if not parts.hostname or parts.port == 0 or parts.username is not None or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"{text!r} is no address of a server")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_local):
        raise argparse.ArgumentTypeError("a token is sent by https alone, except to this machine")
    return text.rstrip("/")


def between(lowest: float, highest: float, kind: Callable[[str], float]) -> Callable[[str], float]:
    def number(text: str) -> float:
        if not lowest <= (found := kind(text)) <= highest:
            raise argparse.ArgumentTypeError(f"{text} is not between {lowest:g} and {highest:g}")
        return found

    number.__name__ = "number"
    return number


def arguments() -> Parser:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number = parser.add_argument
    number("questions", nargs="?", default="-", metavar="CSV", help="what `receiptmill report questions --format csv` writes; - is standard input")
    number("--into", type=Path, required=True, metavar="FOLDER", help="where the archive is written; it is made if need be")
    number("--earlier", type=Path, action="append", default=[], metavar="FOLDER", help="a folder to which loaded archives are moved")
    number("--key", type=Path, metavar="FILE", help="the file of the private key, AuthKey_….p8")
    number("--key-id", metavar="ID", help="the key's identifier in App Store Connect")
    number("--issuer", metavar="ID", help="the team's identifier in App Store Connect")
    number("--calls", type=between(1, 1e6, int), default=1000, metavar="N", help="maximum number of calls (default: 1000)")
    number("--rate", type=between(0.01, 50, float), default=5.0, metavar="N", help="maximum number of calls a second (default: 5)")
    number("--again", action="store_true", help="ask for histories and refunds from the start")
    number("--dry-run", action="store_true", help="print what would be asked; needs no key")
    number("--server", type=address, metavar="URL", help="in the place of Apple's, for tests and proxies")
    number("--quiet", action="store_true", help="print faults alone, also on a terminal")
    return parser


def read(name: str) -> tuple[list[Question], list[str]]:
    if name == "-" and sys.stdin.isatty():
        raise Ended(os.EX_USAGE, "there is no input", "receiptmill report questions --format csv | receiptmill-fetch …")
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as fault:
        raise Ended(os.EX_NOINPUT, f"{name}: {fault.strerror}", "name the file, or - for standard input") from None
    if not data.strip():
        raise Ended(os.EX_NOINPUT, "there is no input", "receiptmill report questions --format csv writes it")
    try:
        return questions(io.StringIO(data.decode("utf-8-sig"), newline=""))
    except (ValueError, csv.Error) as fault:
        raise Ended(os.EX_DATAERR, f"{name}: {fault}", "receiptmill report questions --format csv writes what is read") from None


def main(words: Sequence[str] | None = None) -> int:
    parser = arguments()
    given = parser.parse_args(words)
    if not given.dry_run:
        if absent := [name for name in ("key", "key_id", "issuer") if not getattr(given, name)]:
            parser.error(f"--{absent[0].replace('_', '-')} is missing")
        needs("fetch", "cryptography", "urllib3")
    # As other archives: for their owner and the group.
    os.umask(os.umask(0o077) | 0o027)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    progress = Progress(command="fetch", is_quiet=given.quiet or not sys.stderr.isatty())
    try:
        return fetch(given, progress)
    except Ended as ended:
        progress.fault(str(ended))
        return ended.status
    except OSError as fault:
        progress.fault(f"{fault.filename or given.into}: {fault.strerror or fault}\nhint: make room, or check names and permissions")
        return os.EX_CANTCREAT if isinstance(fault, (PermissionError, FileExistsError, NotADirectoryError)) else os.EX_IOERR
    except KeyboardInterrupt:
        return os.EX_TEMPFAIL


def fetch(given: argparse.Namespace, progress: Progress) -> int:
    found, odd = read(given.questions)
    for row in odd:
        progress.fault(f"{row}\nhint: the others are asked")
    status = os.EX_DATAERR if odd else os.EX_OK
    folders = [given.into, *given.earlier]
    for absent in (folder for folder in given.earlier if not folder.is_dir()):
        progress.line(f"{absent}: there is no such folder yet")
    with nullcontext() if given.dry_run else locked(given.into):
        if not given.dry_run:
            finish(given.into)
        asked_at = last_asked(folders)
        # Otherwise questions that get no answer, or the same one each time, would use up the calls of every run.
        found.sort(key=lambda one: asked_at.get(one.key, ""))
        answered = answered_before(folders, found, progress.fault)
        pages = {key: page for key, page in answered.items() if page and not given.again}
        if answered:
            again = sum(one.key in answered for one in found)
            progress.line(f"of {len(answered)} questions that archives answer, {again} {'is' if again == 1 else 'are'} asked again")
        if given.dry_run:
            show(found, pages, given.server)
            return status
        return asked(given, found, pages, progress) or status


def show(found: list[Question], pages: dict[Key, str], server: str | None) -> None:
    now = datetime.now(timezone.utc)
    for one in found:
        print(one.bundle_id, one.request(now, pages.get(one.key), server))


def asked(
    given: argparse.Namespace, found: list[Question], pages: dict[Key, str], progress: Progress
) -> int:
    from .asking import Run
    from .store import Store
    from .tokens import Tokens

    store = Store(Tokens(given.key, given.key_id, given.issuer), calls=given.calls, rate=given.rate, warn=progress.fault)
    stamp = new_stamp([given.into, *given.earlier], store.moment())
    run = Run(store, Archive(given.into, stamp), pages, given.server, progress.fault, progress.line, progress.at)
    outcome = run.ask(found)
    written = finish(given.into)
    if outcome.rows:
        write_asked(given.into, stamp, outcome.rows)
    tell = progress.fault if outcome.status else progress.line
    tell(f"{outcome}; {written[0] if written else 'nothing was written'}")
    return outcome.status


if __name__ == "__main__":
    sys.exit(main())
