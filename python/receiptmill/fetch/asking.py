"""A run: every question in its turn, page by page, until none is left or the run has to end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .archives import Archive, originals
from .faults import Ended, Failed, Refused
from .questions import PAGES, Key, Question
from .store import CHECK_KEY, Store

# So many questions in a row without an answer: then it is not the questions.
FAILURES_IN_A_ROW = 3
INVALID_REVISION = 4000005


# How a question ended, as the list of asked questions states it.
ANSWERED, WITH_ANOTHER, UNKNOWN = "answered", "answered with another", "not known to Apple"
REFUSED, FAILED, UNFINISHED = "refused", "failed", "not finished"
Row = tuple[Key, str, "int | None", str]


@dataclass
class Outcome:
    not_asked: int = 0
    status: int = os.EX_OK
    rows: list[Row] = field(default_factory=list)
    """Questions that were asked: outcome, Apple's number of an error, and a message."""

    def add(self, question: Question, outcome: str, code: int | None = None, message: str = "") -> None:
        self.rows.append((question.key, outcome, code, message))
        self.not_asked -= 1

    def __str__(self) -> str:
        counts = Counter(outcome for _, outcome, _, _ in self.rows) + Counter({"not asked": self.not_asked})
        names = [ANSWERED, WITH_ANOTHER, UNKNOWN, REFUSED, FAILED, UNFINISHED, "not asked"]
        return ", ".join(f"{counts[name]} {name}" for name in names if counts[name]) or "no questions"


@dataclass
class Run:
    store: Store
    archive: Archive
    pages: dict[Key, str]
    server: str | None
    fault: Callable[[str], None]
    note: Callable[[str], None]
    at: Callable[[str], None]
    # An answer is about all that a customer bought in an app, so that it answers questions about other transactions, too.
    told: set[Key] = field(default_factory=set)
    refused: set[tuple[str, str]] = field(default_factory=set)
    """Apps for which Apple refuses the key, by environment."""

    def ask(self, questions: Sequence[Question]) -> Outcome:
        outcome = Outcome(not_asked=len(questions))
        in_a_row = 0
        try:
            for number, question in enumerate(questions):
                if question.app in self.refused:
                    outcome.add(question, REFUSED)
                    continue
                if question.key in self.told:
                    outcome.add(question, WITH_ANOTHER)
                    continue
                self.at(f"{number} of {len(questions)}: {question}")
                calls = self.store.left
                try:
                    self.ask_one(question)
                    in_a_row = 0
                    outcome.add(question, ANSWERED)
                except Failed as failed:
                    in_a_row = in_a_row + 1 if failed.status == os.EX_TEMPFAIL else 0
                    self.take(outcome, question, failed)
                except Ended:
                    # A question that needs more calls than a run has must not come first each time.
                    if self.store.left < calls:
                        outcome.add(question, UNFINISHED)
                    raise
                if in_a_row == FAILURES_IN_A_ROW and outcome.not_asked:
                    raise Ended(os.EX_TEMPFAIL, f"{in_a_row} questions in a row had no answer", "run it again later")
        except Ended as ended:
            outcome.status = ended.status
            self.fault(str(ended))
        except KeyboardInterrupt:
            outcome.status = os.EX_TEMPFAIL
            self.fault("asked to stop\nhint: the next run asks what is left")
        if self.refused and outcome.status != os.EX_TEMPFAIL:
            # Apps that Apple answers about are the key's own; others may be a stranger's.
            is_accepted = any(told in (ANSWERED, UNKNOWN) for _, told, _, _ in outcome.rows)
            outcome.status = os.EX_DATAERR if is_accepted else os.EX_NOPERM
        return outcome

    def take(self, outcome: Outcome, question: Question, failed: Failed) -> None:
        if failed.status == os.EX_OK:
            return outcome.add(question, UNKNOWN, failed.code, failed.message)
        if isinstance(failed, Refused):
            self.refused.add(question.app)
            outcome.add(question, REFUSED, failed.code, str(failed))
            hint = CHECK_KEY
        else:
            outcome.add(question, FAILED, failed.code, str(failed))
            # A later run is worth more than a look at what can't be asked.
            outcome.status = os.EX_TEMPFAIL if os.EX_TEMPFAIL in (outcome.status, failed.status) else failed.status
            hint = "run it again later" if failed.status == os.EX_TEMPFAIL else "compare the question with App Store Connect"
        self.fault(f"{question}: {failed}\nhint: {hint}")

    def ask_one(self, question: Question) -> None:
        try:
            told: set[str] = set()
            for body in self.answers(question, self.pages.get(question.key)):
                self.archive.write(question, self.store.moment(), body)
                told |= originals(body)
            self.told |= {(*question.app, question.endpoint, original) for original in told}
        except Failed as failed:
            if failed.code != INVALID_REVISION or not self.pages.pop(question.key, None):
                raise
            # The archives' page is one that Apple no longer knows.
            self.ask_one(question)

    def answers(self, question: Question, page: str | None) -> Iterator[bytes]:
        now = self.store.moment()
        if first := question.first_day(now):
            self.note(f"{question}: Apple has no notifications before {first:%Y-%m-%d}; missing since {question.since:%Y-%m-%d}")
        seen = {page}
        while True:
            body, answer = self.store.ask(question.request(now, page, self.server))
            has_more = answer.get("hasMore") is True and question.endpoint in PAGES
            page = answer.get(PAGES[question.endpoint]) if has_more else None
            if has_more and (not isinstance(page, str) or page in seen):
                raise Failed(os.EX_TEMPFAIL, "the store says that there is more, and repeats a page")
            yield body
            if not has_more:
                return
            seen.add(page)
