"""Names of persons in answers: others than the lines have, unless a reader is allowed to see those."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Columns of persons beside those whose header leads to a case, and columns that lead to a case and hold no person: digests
# of documents, and transactions, which the App Store numbers.
PERSONS = {"account_id", "device_id", "owner", "subject", "customer", "other_account_id", "other_device_id"}
DOCUMENTS = {"receipt_sha256", "transaction_id"}
# Of a column such as `subject`, a column such as `subject_kind` says what it holds. These are persons.
KINDS = {"account", "device", "token", "user"}
# Columns that are not served: what staff wrote about persons, and names in hexadecimal.
WITHHELD = {"note", "subject_key"}
# Parameters that take a person.
TAKING = {"case", "owner"}

# Identifiers of devices, and account tokens, wherever a text holds them.
UUID = r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"
MAC = r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}"
IDENTIFIERS = re.compile(rf"(?<![\w-])(?:{UUID}|{MAC})(?![\w-])")
# What a report writes of a decision behind its first word: by whom, and the note.
DECISIONS = re.compile(r"( by |: ).*", re.DOTALL)


class Pseudonyms:
    """Other names, the same for a person as long as the object lives. Nobody who sees them can compute whose they are."""

    def __init__(self) -> None:
        self.key = secrets.token_bytes(32)
        self.real: dict[str, str] = {}
        self.other: dict[str, str] = {}
        # Tools run in threads.
        self.lock = threading.RLock()

    def of(self, person: str) -> str:
        with self.lock:
            if person not in self.other:
                digest = hmac.new(self.key, person.encode(), hashlib.sha256).hexdigest()
                self.other[person] = name = f"person-{digest[:12]}"
                self.real[name] = person
            return self.other[person]

    def resolved(self, parameters: Mapping[str, str]) -> dict[str, str]:
        """Parameters, of which those that take a person have the name that the lines have."""
        with self.lock:

            def real(text: str) -> str:
                return re.sub(r"person-[0-9a-f]{12}", lambda found: self.real.get(found[0], found[0]), text)

            return {name: real(text) if name in TAKING else text for name, text in parameters.items()}

    def hidden(
        self, columns: Sequence[str], rows: Iterable[Sequence[Any]], persons: set[str]
    ) -> tuple[list[str], list[list[Any]]]:
        """Columns and rows without names of persons: those in the columns named, and wherever else a text has them."""
        with self.lock:
            places = {place: kind_of(columns, name) for place, name in enumerate(columns) if name in persons}
            found = [list(row) for row in rows]
            for row in found:
                for place, kind in places.items():
                    if is_person(row[place], None if kind is None else row[kind]):
                        row[place] = self.of(str(row[place]))
            for row in found:
                is_decision = "decision" in row
                for place, value in enumerate(row):
                    if isinstance(value, str) and place not in places:
                        row[place] = self.without(DECISIONS.sub(" …", value) if is_decision else value)
            served = [place for place, name in enumerate(columns) if name not in WITHHELD]
            return [columns[place] for place in served], [[row[place] for place in served] for row in found]

    def without(self, text: str) -> str:
        """A text with other names of the persons that are known, and in the place of all that identifies a device."""
        with self.lock:
            known = [person for person in self.other if person in text]
            for person in sorted(known, key=len, reverse=True):
                text = re.sub(rf"(?<![\w-]){re.escape(person)}(?![\w-])", self.other[person], text)
            return IDENTIFIERS.sub(lambda found: self.of(found[0]), text)


def kind_of(columns: Sequence[str], name: str) -> int | None:
    """The place of the column that says what another holds; None where there is none."""
    return columns.index(f"{name}_kind") if f"{name}_kind" in columns else None


def is_person(value: Any, kind: Any) -> bool:
    """Whether a value of a column of persons is one; words such as `(none)` are not."""
    return value is not None and not str(value).startswith("(") and (kind is None or kind in KINDS)
