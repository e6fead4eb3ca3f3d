#!/usr/bin/env python3
"""Simulates a first night on a cluster from costs that Benchmarks/engines.py measured: docs/scale.md quotes it.

    Benchmarks/scale.py [--lines 1e9] [--cores 100]

Tasks are handed out as pipelines/spark/night.py and Spark do: the largest archive first, each to the core that is free
first. Each stage has seconds that no core shortens, such as planning, and core seconds that follow lines and archives. One
owner, app or document of most lines makes some tasks of models longer than the others. Benchmarks/test_scale.py holds the
simulation to four nights that were measured, of up to a million lines on two cores. That costs grow on as they do until
there, that a hundred cores share them evenly, and that no network slows them, is assumed.
"""

import argparse
import heapq
import random

MILLION = 1e6

# Core seconds for a million lines, half of them signed, and seconds of a night whatever its lines: docs/scale.md says how
# they were measured.
START = 8  # Java, Spark, digests of archives
DECODE, DECODE_FIXED = 392, 7  # decode, Python and Arrow between it and Spark, facts written
MERGE, MERGE_FIXED = 138, 13.6
MODELS, MODELS_FIXED = 802, 58
# Core seconds for an archive, whatever its lines: a task's start, and its files of facts, written and read.
DECODE_ARCHIVE, MERGE_ARCHIVE = 0.56, 0.23
ARCHIVE_BYTES = 2800  # of a line, gzip

# As in python/receiptmill/spark/nights.py.
TASK_BYTES = 32 << 20
# Assumed, not measured: the part of the models' time for the lines of one owner, app or document that one core spends
# alone. On two cores, archives with nine of ten lines of one take no longer than others (docs/scale.md): it is at most a
# half.
ALONE = 0.1


def tasks(archives):
    """Lines of each task: small archives share one until it holds TASK_BYTES."""
    lines_of_task = TASK_BYTES / ARCHIVE_BYTES
    packed = []
    for lines in sorted(archives, reverse=True):
        if packed and packed[-1][0] + lines <= lines_of_task:
            packed[-1] = (packed[-1][0] + lines, packed[-1][1] + 1)
        else:
            packed.append((lines, 1))
    return packed


def makespan(durations, cores):
    """Seconds until the last task ends, each given in order to the core that is free first."""
    free = [0.0] * cores
    for duration in durations:
        heapq.heappush(free, heapq.heappop(free) + duration)
    return max(free)


def night(archives, cores, hot=0.0):
    """Seconds of each stage. hot: the share of lines of one owner, app or document."""
    millions = sum(archives) / MILLION
    decoding = [lines / MILLION * DECODE + count * DECODE_ARCHIVE for lines, count in tasks(archives)]
    models = millions * MODELS
    alone = models * hot * ALONE
    return {
        "start": START,
        "decode": DECODE_FIXED + makespan(decoding, cores),
        "merge": MERGE_FIXED + (millions * MERGE + len(archives) * MERGE_ARCHIVE) / cores,
        "models": MODELS_FIXED + max(alone, models / cores),
    }


def even(lines, count):
    return [lines / count] * count


def uneven(lines, count, spread, seed=1):
    """Sizes of a lognormal distribution, as files of many sources have."""
    chance = random.Random(seed)
    weights = [chance.lognormvariate(0, spread) for _ in range(count)]
    return [lines * weight / sum(weights) for weight in weights]


def huge(lines, count, share):
    return [lines * share, *even(lines * (1 - share), count - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=float, default=1e9)
    parser.add_argument("--cores", type=int, default=100)
    given = parser.parse_args()
    lines, cores = given.lines, given.cores
    print(f"{lines:,.0f} lines, {cores} cores; hours\n")
    print(f"{'archives':44} {'decode':>8} {'merge':>8} {'models':>8} {'all':>8}")
    for name, archives, hot in [
        ("1,000 of a size", even(lines, 1000), 0),
        ("100,000 of a size", even(lines, 100_000), 0),
        ("1,000, lognormal, sigma 2", uneven(lines, 1000, 2), 0),
        ("1,000, one has 1 % of all lines", huge(lines, 1000, 0.01), 0),
        ("1,000, one has 10 % of all lines", huge(lines, 1000, 0.1), 0),
        ("the same, that one in 100 parts", even(lines * 0.1, 100) + even(lines * 0.9, 999), 0),
        ("1,000, one owner has 1 % of all lines", even(lines, 1000), 0.01),
        ("1,000, one owner has 90 % of all lines", even(lines, 1000), 0.9),
    ]:
        stages = night(archives, cores, hot)
        told = " ".join(f"{stages[stage] / 3600:8.2f}" for stage in ("decode", "merge", "models"))
        print(f"{name:44} {told} {sum(stages.values()) / 3600:8.2f}")


if __name__ == "__main__":
    main()
