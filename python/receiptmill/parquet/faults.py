"""How an export fails: exit statuses, and what to do."""

from __future__ import annotations

import errno
import sqlite3

USAGE, BAD_DATA, NO_INPUT, CANNOT_CREATE, IO_FAULT, TRY_LATER = 64, 65, 66, 73, 74, 75
OF_ITS_RELEASE = "take the package from the release of receiptmill that wrote the database"


class Fault(Exception):
    """An export failed: the exit status of the command, what was wrong, and what to do."""

    def __init__(self, status: int, what: str, hint: str) -> None:
        super().__init__(f"{what}\nhint: {hint}")
        self.status = status


def status_of(error: sqlite3.Error | OSError) -> tuple[int, str]:
    """Exit status and advice for what went wrong outside the program."""
    if isinstance(error, sqlite3.Error):
        text = str(error)
        if "locked" in text or "busy" in text:
            return TRY_LATER, "run the export again"
        if "unable to open" in text or "readonly" in text:
            return NO_INPUT, "SQLite writes beside a database even to read it: allow that, or export a backup"
        if "not a database" in text:
            return CANNOT_CREATE, "name a database of receiptmill's"
        if "no such" in text:
            return CANNOT_CREATE, OF_ITS_RELEASE
        if "full" in text or "disk I/O" in text:
            return IO_FAULT, "make room, also in TMPDIR, and run the export again"
        return BAD_DATA, "receiptmill check says what is damaged"
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return IO_FAULT, "make room, and run the export again"
    return CANNOT_CREATE, "check names and permissions"
