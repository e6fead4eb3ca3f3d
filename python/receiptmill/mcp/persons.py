"""Names of persons in answers: others than the lines have, unless a reader is allowed to see those."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

# Columns that hold accounts, devices and the names that receipts have for them. Other columns of cases hold digests of
# documents and transactions, which the App Store numbers.
PERSONS = {"account_id", "device_id", "owner", "subject", "customer"}


class Pseudonyms:
    """Other names, the same for a person as long as the object lives. Nobody who sees them can compute whose they are."""

    def __init__(self) -> None:
        self.key = secrets.token_bytes(32)
        self.real: dict[str, str] = {}
        self.other: dict[str, str] = {}

    def of(self, person: str) -> str:
        if person not in self.other:
            digest = hmac.new(self.key, person.encode(), hashlib.sha256).hexdigest()
            self.other[person] = name = f"person-{digest[:12]}"
            self.real[name] = person
        return self.other[person]

    def resolved(self, text: str) -> str:
        """A text of a reader, with the names that the lines have."""
        return re.sub(r"person-[0-9a-f]{12}", lambda found: self.real.get(found[0], found[0]), text)

    def hidden(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
        """Rows without names of persons: those in their columns, and wherever else a text mentions them."""
        places = {place for place, name in enumerate(columns) if name in PERSONS}
        found = [list(row) for row in rows]
        for row in found:
            for place in places:
                if row[place] is not None:
                    row[place] = self.of(str(row[place]))
        for row in found:
            for place, value in enumerate(row):
                if isinstance(value, str) and place not in places:
                    row[place] = self.without(value)
        return found

    def without(self, text: str) -> str:
        """A text, with the other names of all persons that are known."""
        # Parts of a text between characters that no identifier has, and those of identifiers with spaces inside.
        for person in sorted((one for one in self.other if " " in one and one in text), key=len, reverse=True):
            text = text.replace(person, self.other[person])
        return re.sub(r"[^\s,;:()'\"]+", lambda found: self.other.get(found[0], found[0]), text)
