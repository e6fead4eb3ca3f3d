"""How far a night or a build is, on standard error: a line for each step with its seconds; on a terminal also the part that
is at work."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from graphlib import TopologicalSorter
from typing import TextIO, TypeVar

Part = TypeVar("Part")

# Queries that are planned and run at a time: the driver plans one while executors run another.
AT_ONCE = 3


class Progress:
    def __init__(self, stream: TextIO | None = None, *, command: str = "night", is_quiet: bool = False) -> None:
        self.stream, self.command, self.is_quiet = stream or sys.stderr, command, is_quiet
        self.started = time.monotonic()
        self.lock = threading.Lock()
        self.shown = 0
        self.seconds: dict[str, float] = {}

    def line(self, text: str) -> None:
        if not self.is_quiet:
            self.fault(text)

    def fault(self, text: str) -> None:
        """A line that is printed even where nothing else is."""
        with self.lock:
            self.clear()
            print(f"{self.command}: {text}", file=self.stream, flush=True)

    def at(self, text: str) -> None:
        """What is at work, in the last line of a terminal."""
        if self.is_quiet or not self.stream.isatty():
            return
        with self.lock:
            self.clear()
            self.shown = self.stream.write(f"{self.command}: {text}")
            self.stream.flush()

    def clear(self) -> None:
        if self.shown:
            self.stream.write("\r" + " " * self.shown + "\r")
            self.shown = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.monotonic()
        self.at(f"{name} …")
        yield
        self.seconds[name] = time.monotonic() - started
        self.line(f"{name}: {self.seconds[name]:.1f} s")

    def ended(self, built: str, ask_next: str) -> None:
        self.line(f"{built}, {time.monotonic() - self.started:.0f} s in all")
        self.line(f"ask next: {ask_next}")

    def each(
        self,
        name: str,
        parts: Iterable[Part],
        work: Callable[[Part], object],
        reads: Callable[[Part], Iterable[Part]] = lambda part: (),
    ) -> None:
        """Does the same with each part, some at once, each behind those that it reads; a fault of one is raised."""
        todo = list(parts)
        order = TopologicalSorter({part: {*reads(part)}.intersection(todo) - {part} for part in todo})
        order.prepare()
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix=self.command)
        running: dict[Future[None], Part] = {}
        done = 0

        def one(part: Part) -> None:
            self.at(f"{name}, {done} of {len(todo)} done: {part}")
            work(part)

        try:
            while order.is_active():
                running |= {pool.submit(one, part): part for part in order.get_ready()}
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    future.result()
                    order.done(running.pop(future))
                    done += 1
        finally:
            # After a fault, what has not begun never does.
            pool.shutdown(wait=True, cancel_futures=True)
