"""Questions to the App Store: the rows of the report `questions`, and the requests that they become."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from urllib.parse import urlencode

COLUMNS = ("environment", "bundle_id", "endpoint", "identifier", "since")
PATHS = {
    "transactions": "/inApps/v1/transactions/",
    "subscriptions": "/inApps/v1/subscriptions/",
    "history": "/inApps/v2/history/",
    "refunds": "/inApps/v2/refund/lookup/",
    "notifications": "/inApps/v1/notifications/history",
}
# The member of an answer that names the next page, which is also the name of the parameter that asks for it.
PAGES = {"history": "revision", "refunds": "revision", "notifications": "paginationToken"}
SANDBOX = "https://api.storekit-sandbox.apple.com"
# Receipts call the sandbox ProductionSandbox.
SERVERS = {"Production": "https://api.storekit.apple.com", "Sandbox": SANDBOX, "ProductionSandbox": SANDBOX}
KEPT = {"Production": timedelta(days=180), "Sandbox": timedelta(days=30), "ProductionSandbox": timedelta(days=30)}
# Apple refuses a start that is too early. The answer to a request may take a while.
MARGIN = timedelta(hours=1)

Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Request:
    """A call, as HTTP has it; the bundle identifier is in the token."""

    bundle_id: str
    url: str
    body: bytes | None

    def __str__(self) -> str:
        return " ".join(["GET" if self.body is None else "POST", self.url, (self.body or b"").decode()]).strip()


@dataclass(frozen=True)
class Question:
    environment: str
    bundle_id: str
    endpoint: str
    identifier: str
    since: datetime | None = None

    @classmethod
    def of(cls, row: dict[str, str]) -> Question:
        """A row of the report; a ValueError says why it can't be asked."""
        environment, bundle, endpoint, identifier, since = ((row.get(name) or "").strip() for name in COLUMNS)
        if environment not in SERVERS:
            raise ValueError(f"there is no server for the environment {environment!r}")
        if not re.fullmatch(r"[A-Za-z0-9.-]+", bundle):
            raise ValueError(f"{bundle!r} is no bundle identifier")
        if endpoint not in PATHS:
            raise ValueError(f"there is no endpoint {endpoint!r}")
        if endpoint == "notifications":
            return cls(environment, bundle, endpoint, "", moment(since))
        # The identifier becomes a part of a path: nothing that could lead to another path is let through.
        if not re.fullmatch(r"[A-Za-z0-9]{1,64}", identifier):
            raise ValueError(f"{identifier!r} is no identifier of a transaction")
        return cls(environment, bundle, endpoint, identifier)

    @property
    def key(self) -> Key:
        return self.environment, self.bundle_id, self.endpoint, self.identifier

    @property
    def app(self) -> tuple[str, str]:
        return self.environment, self.bundle_id

    def __str__(self) -> str:
        return " ".join(self.key).strip()

    def first_day(self, now: datetime) -> datetime | None:
        """The moment from which Apple still has notifications, if they are missing from an earlier one."""
        first = now - KEPT[self.environment] + MARGIN
        return first if self.since and self.since < first else None

    def request(self, now: datetime, page: str | None, server: str | None) -> Request:
        url = (server or SERVERS[self.environment]) + PATHS[self.endpoint] + self.identifier
        if page:
            url += "?" + urlencode({PAGES[self.endpoint]: page})
        if not self.since:
            return Request(self.bundle_id, url, None)
        start = self.first_day(now) or min(self.since, now - MARGIN)
        period = {"startDate": milliseconds(start), "endDate": milliseconds(now)}
        return Request(self.bundle_id, url, json.dumps(period).encode())


def moment(text: str) -> datetime:
    # Python 3.10 does not read a Z.
    found = datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", text))
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


def milliseconds(when: datetime) -> int:
    return round(when.timestamp() * 1000)


def questions(lines: Iterable[str]) -> tuple[list[Question], list[str]]:
    """The questions in the order of the rows, each once, and what is wrong with other rows."""
    rows = csv.DictReader(lines, strict=True)
    if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
        raise ValueError(f"the header has no column {missing[0]}")
    found: dict[Question, None] = {}
    faults: list[str] = []
    for row in rows:
        try:
            found[Question.of(row)] = None
        except ValueError as fault:
            faults.append(f"line {rows.line_num}: {fault}")
    return list(found), faults
