"""Calls of the App Store Server API: their pace, and what is done if one fails."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3

from .faults import Ended, Failed, Refused
from .questions import Request
from .tokens import Tokens

ATTEMPTS = 6
# Longer than this a run does not wait for the store: it ends, and the next one goes on.
LONGEST_WAIT = 300.0
# A line of an archive may be 16 MiB long, with what is said of the question.
LONGEST_ANSWER = 16 * 2**20 - 4096
# A clock that differs by less is not the reason why a token is refused.
CLOCK_OFF = 60.0
RETRYABLE = {4040002, 4040004, 4040006, 5000001}
# A page's token was refused, or has expired: the question has to be asked from the start.
PAGE_LOST = {4000014, 4000017}
CHECK_KEY = (
    "compare --key, --key-id and --issuer with App Store Connect (Users and Access, Integrations, In-App Purchase); "
    "the key has to be of the team that owns the app, and an app that was never sold has the sandbox alone"
)


class Clock:
    now = staticmethod(time.time)
    sleep = staticmethod(time.sleep)


class Store:
    def __init__(
        self, tokens: Tokens, *, calls: int, rate: float, warn: Callable[[str], None],
        clock: Clock | None = None, timeout: float = 30.0,
    ) -> None:
        self.tokens, self.calls, self.rate, self.warn = tokens, calls, rate, warn
        self.clock, self.timeout = clock or Clock(), timeout
        self.left, self.next_call, self.offset = calls, 0.0, 0.0
        self.pools: dict[str, urllib3.PoolManager] = {}

    def now(self) -> float:
        return self.clock.now() + self.offset

    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.now(), timezone.utc)

    def ask(self, request: Request) -> tuple[bytes, dict[str, Any]]:
        """A whole answer: its bytes, and what they say. Failed and Ended say why there is none."""
        is_refused, fault = False, ""
        for attempt in range(ATTEMPTS):
            wait = min(60.0, 2.0**attempt) * random.uniform(0.5, 1)
            try:
                status, headers, body = self.call(request)
            except urllib3.exceptions.HTTPError as error:
                fault = f"no whole answer: {printable(error)}"
            else:
                answer = parsed(body)
                if status == 200 and answer is not None:
                    return body, answer
                code, message = error_of(answer or {})
                fault = f"status {status}" if status != 200 else "the answer is no whole JSON object"
                fault += f", error {code}: {message}" if code else ""
                if status == 401:
                    if is_refused:
                        raise Refused(f"Apple refuses the key for {request.bundle_id} ({fault})")
                    is_refused, wait = True, 0.0
                    self.renew(headers)
                elif status == 429 or (status == 503 and "Retry-After" in headers):
                    wait = max(wait, retry_after(headers, moment_of(headers) or self.now()))
                    if wait > LONGEST_WAIT or attempt == ATTEMPTS - 1:
                        hint = f"run it again after {datetime.fromtimestamp(self.now() + wait, timezone.utc):%H:%M} UTC"
                        raise Ended(os.EX_TEMPFAIL, f"the store takes no more calls ({fault})", hint)
                elif status < 500 and status != 200 and code not in RETRYABLE:
                    if status == 404 and not code:
                        fault += ": there is no such interface at this server"
                    is_unknown, is_late = status == 404 and code, code in PAGE_LOST
                    outcome = os.EX_OK if is_unknown else os.EX_TEMPFAIL if is_late else os.EX_DATAERR
                    raise Failed(outcome, fault, code=code, message=message)
            if attempt < ATTEMPTS - 1:
                self.clock.sleep(wait)
        raise Failed(os.EX_TEMPFAIL, f"{fault}, {ATTEMPTS} times")

    def call(self, request: Request) -> tuple[int, Mapping[str, str], bytes]:
        """One request. A fault of the connection is an error of urllib3."""
        if not self.left:
            raise Ended(os.EX_TEMPFAIL, f"all {self.calls} calls of --calls are made", "the next run asks what is left")
        now = self.clock.now()
        self.clock.sleep(min(max(self.next_call - now, 0.0), 1 / self.rate))
        self.left, self.next_call = self.left - 1, max(self.next_call, now) + 1 / self.rate
        token = self.tokens.token(request.bundle_id, self.now())
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json", "Accept-Encoding": "identity"}
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        until = time.monotonic() + 4 * self.timeout
        # A redirect is not followed, because the token is for one server.
        response = self.pool(request.url).request(
            "GET" if request.body is None else "POST", request.url, body=request.body, headers=headers,
            preload_content=False, decode_content=False, redirect=False, retries=False, timeout=self.timeout,
        )
        try:
            body = bytearray()
            while piece := response.read1(2**16):
                body += piece
                if len(body) > LONGEST_ANSWER:
                    raise Failed(os.EX_DATAERR, f"the answer is longer than {LONGEST_ANSWER} bytes")
                if time.monotonic() > until:
                    raise urllib3.exceptions.TimeoutError("it took too long")
            if token.encode() in body:
                raise Failed(os.EX_DATAERR, "the answer repeats the token, and is not kept")
            return response.status, response.headers, bytes(body)
        finally:
            response.close()

    def pool(self, url: str) -> urllib3.PoolManager:
        """Connections that are used again, through the proxy that the environment names."""
        parts = urlsplit(url)
        if parts.netloc not in self.pools:
            # What goes to this machine itself, by http, goes through no proxy, which would see the token.
            proxy = None if parts.scheme == "http" or proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
            try:
                self.pools[parts.netloc] = urllib3.ProxyManager(proxy) if proxy else urllib3.PoolManager()
            except urllib3.exceptions.HTTPError:
                raise Ended(os.EX_USAGE, f"the proxy on {printable(urlsplit(proxy).hostname)} can't be used: its scheme is no http or https",
                            "correct or unset HTTPS_PROXY") from None
        return self.pools[parts.netloc]

    def renew(self, headers: Mapping[str, str]) -> None:
        """After a refusal: a new token, of the server's time if this machine's is wrong."""
        self.tokens.forget()
        server = moment_of(headers)
        if server is not None and not self.offset and abs(server - self.now()) > CLOCK_OFF:
            self.offset = server - self.now()
            self.warn(f"this machine's clock is {abs(self.offset) / 60:.0f} min {'behind' if self.offset > 0 else 'ahead of'} "
                      "Apple's, whose time is used in its place: set the clock")


def parsed(body: bytes) -> dict[str, Any] | None:
    def refused(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON")

    try:
        found = json.loads(body.decode("utf-8"), parse_constant=refused)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def printable(text: object) -> str:
    """What a server says, without what would steer a terminal."""
    return re.sub(r"[^\x20-\x7e]+", " ", str(text or ""))[:200]


def error_of(answer: dict[str, Any]) -> tuple[int | None, str]:
    """Apple's number of an error, and what Apple says of it."""
    code = answer.get("errorCode")
    return code if isinstance(code, int) else None, printable(answer.get("errorMessage"))


def moment_of(headers: Mapping[str, str], name: str = "Date") -> float | None:
    """A date of HTTP; that of `Date` is the server's own time."""
    try:
        return parsedate_to_datetime(headers.get(name, "")).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def retry_after(headers: Mapping[str, str], now: float) -> float:
    """So many seconds the server asks to wait. Apple writes a time in milliseconds; HTTP has seconds or a date."""
    if re.fullmatch(r"[0-9]{1,16}", text := headers.get("Retry-After", "").strip()):
        number = int(text)
        wait = number / 1000 - now if number > 10**11 else number - now if number > 10**9 else float(number)
    else:
        wait = (moment_of(headers, "Retry-After") or now) - now
    return min(wait, 86400.0)
