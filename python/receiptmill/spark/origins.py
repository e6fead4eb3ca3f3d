"""What the rows of a model follow from, as a digest: rows whose origin is the last night's are that night's rows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ..lake import dialect
from .storage import FACTS, KNOWN, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .merged import Merged
    from .storage import Storage


class Origins:
    """Origins of the models over a generation.

    The origin of a model or a view is its statement and the origins of all that the statement reads, down to versions of
    merged tables, archives that have facts of a kind, and settings. What is not known here follows from the generation,
    which changes with every archive.
    """

    def __init__(
        self, storage: Storage, merged: Merged, generation: str, archives: Iterable[str], known: Mapping[str, Any]
    ) -> None:
        self.storage, self.merged, self.generation = storage, merged, generation
        self.archives = {f"archive_sha256={sha256}" for sha256 in archives}
        self.statements = (
            dialect.loaded_selects() | dialect.lake_selects("tables") | dialect.views(dialect.SPARK) | dialect.models()
        )
        self.found = {name: digest_of([json.dumps(rows, sort_keys=True, default=bytes.hex)]) for name, rows in known.items()}
        self.functions = (dialect.SQL / "engines/spark.sql").read_text()

    def of(self, name: str) -> str:
        if name not in self.found:
            self.found[name] = digest_of([self.functions, *self.parts(name)])
        return self.found[name]

    def parts(self, name: str) -> list[str]:
        if name in self.merged.versions:
            return [name, str(self.merged.versions[name])]
        fact = name.removeprefix("loaded_")
        if fact != name and fact in FACTS:
            # The archives that count are all that its statement reads beside its own facts.
            return [self.statements[name], *sorted(self.archives.intersection(self.storage.folders(fact)))]
        if name.startswith("reviewed_"):
            # Verified again whenever the lake has learnt of issuers or receipts.
            return [name, *(str(self.merged.versions.get(table)) for table in ("issuer", "reviewable_receipt"))]
        if name in KNOWN or name not in self.statements:
            return [name, self.generation]
        statement = self.statements[name]
        # What stands in quotes reads nothing.
        reads = dialect.read_by(re.sub(r"'[^']*'", "''", statement))
        return [statement, *(self.of(other) for other in sorted(reads) if other != name)]
