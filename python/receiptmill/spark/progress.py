"""How far a night is, on standard error: a line for each step with its seconds; on a terminal also which part of it is
at work."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TextIO, TypeVar

Part = TypeVar("Part")
Made = TypeVar("Made")

# Queries that are planned and run at a time: the driver plans one while executors run another.
AT_ONCE = 3


class Progress:
    def __init__(self, stream: TextIO | None = None, *, is_quiet: bool = False) -> None:
        self.stream, self.is_quiet = stream or sys.stderr, is_quiet
        self.started = time.monotonic()
        self.lock = threading.Lock()
        self.shown = 0
        self.seconds: dict[str, float] = {}

    def line(self, text: str) -> None:
        with self.lock:
            if not self.is_quiet:
                self.clear()
                print(f"night: {text}", file=self.stream, flush=True)

    def fault(self, text: str) -> None:
        """A line that is printed even where nothing else is."""
        with self.lock:
            self.clear()
            print(f"night: {text}", file=self.stream, flush=True)

    def at(self, text: str) -> None:
        """What is at work, in the last line of a terminal."""
        if self.is_quiet or not self.stream.isatty():
            return
        with self.lock:
            self.clear()
            self.stream.write(text)
            self.stream.flush()
            self.shown = len(text)

    def clear(self) -> None:
        if self.shown:
            self.stream.write("\r" + " " * self.shown + "\r")
            self.shown = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.monotonic()
        self.at(f"night: {name} …")
        yield
        self.seconds[name] = time.monotonic() - started
        self.line(f"{name}: {self.seconds[name]:.1f} s")

    def ended(self, text: str) -> None:
        self.line(f"{text}, {time.monotonic() - self.started:.0f} s in all")

    def each(self, name: str, parts: Iterable[Part], work: Callable[[Part], Made]) -> list[Made]:
        """Does the same with each part, some at once, in the order of the parts; a fault of one is raised."""
        todo = list(parts)
        done = 0

        def one(part: Part) -> Made:
            nonlocal done
            made = work(part)
            done += 1
            self.at(f"night: {name}, {done} of {len(todo)}")
            return made

        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="night")
        try:
            return [future.result() for future in [pool.submit(one, part) for part in todo]]
        finally:
            # After a fault, what has not begun never does.
            pool.shutdown(wait=True, cancel_futures=True)
