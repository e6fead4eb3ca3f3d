"""What a user reads where Spark fails: its own words, without the calls that led there, and what to do."""

from __future__ import annotations

import re

# What Java and Spark say where memory is short, a disk is full, or a worker lacks a file.
CURES = {
    r"OutOfMemoryError|Not enough memory|GC overhead": "give the driver more memory: --conf spark.driver.memory=16g; on a"
    " cluster, spark-submit --driver-memory 16g --executor-memory 16g",
    r"No space left on device": "free space on the disk of the lake, or on that of Spark's working folder (spark.local.dir)",
    r"Cannot run program|FileNotFoundError|No such file or directory": "each worker needs the program and what its options"
    " name, under the same path; --ship sends a file to all of them",
}
# An error of a worker's Python is the first line behind its traceback that is not indented.
WORKER = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)+(\S.*)")


def told(fault: Exception) -> str:
    """The fault as Spark names it, its causes, that of a worker's Python last, and a hint where one is known."""
    text = str(fault)
    java = getattr(fault, "java_exception", None)
    first = str(java.toString() if java else text).splitlines()[:1]
    causes = [*re.findall(r"^Caused by: (.+)$", text, re.MULTILINE)[-1:], *WORKER.findall(text)[-1:]]
    lines = list(dict.fromkeys([f"{type(fault).__name__}: {''.join(first)}", *causes]))
    cure = next((cure for pattern, cure in CURES.items() if re.search(pattern, text)), None)
    return "\n".join([*lines, *([f"hint: {cure}"] if cure else [])])
