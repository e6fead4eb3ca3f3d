"""A run: every question in its turn, page by page, until none is left or the run has to end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .archives import Archive, originals
from .faults import Ended, Failed
from .questions import PAGES, Key, Question
from .store import Store

# So many questions in a row without an answer: then it is not the questions.
FAILURES_IN_A_ROW = 3
INVALID_REVISION = 4000005


@dataclass
class Outcome:
    asked: int = 0
    not_asked: int = 0
    status: int = os.EX_OK
    failed: int = 0
    answered_with_others: int = 0
    unanswered: list[tuple[Key, int | None, str]] = field(default_factory=list)

    def __str__(self) -> str:
        counts = {"answered": self.asked - self.failed - len(self.unanswered), "answered with those": self.answered_with_others,
                  "not known to Apple": len(self.unanswered), "failed": self.failed, "not asked": self.not_asked}
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "no questions"


@dataclass
class Run:
    store: Store
    archive: Archive
    pages: dict[Key, str]
    server: str | None
    fault: Callable[[str], None]
    at: Callable[[str], None]
    # An answer is about all that a customer bought in an app, so that it answers questions about other transactions, too.
    told: set[Key] = field(default_factory=set)

    def ask(self, questions: Sequence[Question]) -> Outcome:
        outcome = Outcome(not_asked=len(questions))
        in_a_row = 0
        try:
            for question in questions:
                if question.key in self.told:
                    outcome.answered_with_others += 1
                    outcome.not_asked -= 1
                    continue
                self.at(f"{outcome.asked} of {len(questions)} asked: {question}")
                try:
                    self.ask_one(question)
                    in_a_row = 0
                except Failed as failed:
                    in_a_row = in_a_row + 1 if failed.status == os.EX_TEMPFAIL else 0
                    self.note(outcome, question, failed)
                outcome.asked += 1
                outcome.not_asked -= 1
                if in_a_row == FAILURES_IN_A_ROW and outcome.not_asked:
                    raise Ended(os.EX_TEMPFAIL, f"{in_a_row} questions in a row had no answer", "run it again later")
        except Ended as ended:
            outcome.status = ended.status
            self.fault(str(ended))
        except KeyboardInterrupt:
            outcome.status = os.EX_TEMPFAIL
            self.fault("asked to stop\nhint: the next run asks what is left")
        return outcome

    def note(self, outcome: Outcome, question: Question, failed: Failed) -> None:
        if failed.status == os.EX_OK:
            outcome.unanswered.append((question.key, failed.code, failed.message))
            return
        outcome.failed += 1
        # A later run is worth more than a look at what can't be asked.
        outcome.status = os.EX_TEMPFAIL if os.EX_TEMPFAIL in (outcome.status, failed.status) else failed.status
        hint = "run it again later" if failed.status == os.EX_TEMPFAIL else "compare the question with App Store Connect"
        self.fault(f"{question}: {failed}\nhint: {hint}")

    def ask_one(self, question: Question) -> None:
        try:
            for body in self.answers(question, self.pages.get(question.key)):
                self.archive.write(question, self.store.moment(), body)
                about = question.environment, question.bundle_id, question.endpoint
                self.told |= {(*about, original) for original in originals(body)}
        except Failed as failed:
            if failed.code != INVALID_REVISION or not self.pages.pop(question.key, None):
                raise
            # The archives' page is one that Apple no longer knows.
            self.ask_one(question)

    def answers(self, question: Question, page: str | None) -> Iterator[bytes]:
        now = self.store.moment()
        if question.since and question.since >= now:
            return
        if first := question.first_day(now):
            self.fault(f"{question}: Apple has no notifications before {first:%Y-%m-%d}; missing since {question.since:%Y-%m-%d}")
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
