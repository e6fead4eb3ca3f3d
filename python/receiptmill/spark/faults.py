"""What a user is told where Spark fails: its own words, without the calls that led there, and what to do."""

from __future__ import annotations

import re

# What Java and Spark say where memory is short, and a disk is full.
CURES = {
    r"OutOfMemoryError|Not enough memory|GC overhead": "give the driver more memory: --conf spark.driver.memory=16g; on a"
    " cluster, spark-submit --driver-memory 16g --executor-memory 16g",
    r"No space left on device": "free space on the disk of the lake, or on that of Spark's working folder (spark.local.dir)",
    r"Cannot run program|FileNotFoundError|No such file or directory": "each worker needs the program and what its options"
    " name, under the same path; --ship sends a file to all of them",
}
# Of a long message, as a failed task's is.
MOST_LINES = 6


def told(fault: Exception) -> str:
    """The cause of a fault, innermost where Spark tells it, and a hint."""
    java = getattr(fault, "java_exception", None)
    text = str(java.toString()) if java else str(fault)
    causes = re.findall(r"^(?:Caused by: )(.+)$", str(fault), re.MULTILINE)
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("at ")][:MOST_LINES]
    if causes and causes[-1] not in lines:
        lines.append(causes[-1])
    cure = next((cure for pattern, cure in CURES.items() if re.search(pattern, str(fault))), None)
    return "\n".join([f"{type(fault).__name__}: {lines[0]}" if lines else type(fault).__name__, *lines[1:]]) + (
        f"\nhint: {cure}" if cure else ""
    )
