"""How a question fails, and how a run ends before its last question."""

from __future__ import annotations

import os


class Failed(Exception):
    """One question has no answer. The status is 0 if Apple does not know what was asked for, 75 if a later run may get
    an answer, 77 if Apple refuses the key, and 65 if it gets none until somebody changes something."""

    def __init__(self, status: int, what: str, *, code: int | None = None, message: str = "") -> None:
        super().__init__(what)
        self.status, self.code, self.message = status, code, message


class Refused(Failed):
    """Apple refuses the key for an app."""

    def __init__(self, what: str) -> None:
        super().__init__(os.EX_NOPERM, what)


class Ended(Exception):
    """The run ends here: exit status, reason, and what to do."""

    def __init__(self, status: int, what: str, hint: str) -> None:
        super().__init__(f"{what}\nhint: {hint}")
        self.status = status
