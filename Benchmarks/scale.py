#!/usr/bin/env python3
"""Simulates a first night on a cluster from costs that were measured on one core: docs/scale.md quotes it.

    Benchmarks/scale.py [--lines 1e9] [--cores 100]

Tasks are handed out as pipelines/spark/night.py and Spark do: the largest archive
first, each to the core that is free first. The costs below were measured, and
docs/scale.md says how; two are assumed, and say so.
"""

import argparse
import heapq
import random

# Core seconds for a million lines, and bytes for a line; docs/scale.md says how they were measured.
DECODE = 59  # receiptmill decode, inflating included
TASK = 34  # Python and Arrow between decode and Spark
WRITE = 117  # Spark: kept on disk once, five tables of facts written
MERGE = 104  # Spark: tables of all archives, with their shuffle; Benchmarks/nights.py measures those that join them
ARCHIVE_BYTES = 1593  # gzip
SHUFFLED_BYTES = 490  # of the merge
FACT_BYTES = 255  # Parquet
MERGED_BYTES = 279  # Parquet
# Core seconds for a million pairs of submissions, where one view pairs all of a lineage.
PAIRS = 0.56

# As in pipelines/spark/night.py.
TASK_BYTES = 32 << 20
# Assumed, not measured: what an archive costs before its first line, and what a core of the cluster is given of
# network and disk.
TASK_SECONDS = 0.15
SHUFFLE_BYTES_PER_SECOND = 50e6

MILLION = 1e6


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


def night(archives, cores):
    """Seconds of decoding, of the merge, and of the longest task."""
    cost = (DECODE + TASK + WRITE) / MILLION
    durations = [lines * cost + count * TASK_SECONDS for lines, count in tasks(archives)]
    lines = sum(archives)
    return makespan(durations, cores), merging(lines, cores), max(durations), sum(durations)


def even(lines, count):
    return [lines / count] * count


def uneven(lines, count, spread, seed=1):
    """Sizes of a lognormal distribution, as files of many sources have."""
    chance = random.Random(seed)
    weights = [chance.lognormvariate(0, spread) for _ in range(count)]
    return [lines * weight / sum(weights) for weight in weights]


def huge(lines, count, share):
    return [lines * share, *even(lines * (1 - share), count - 1)]


def hours(seconds):
    return f"{seconds / 3600:8.2f}"


def merging(lines, cores):
    """Seconds of making tables of all lines."""
    return lines * MERGE / MILLION / cores + lines * SHUFFLED_BYTES / SHUFFLE_BYTES_PER_SECOND / cores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=float, default=1e9)
    parser.add_argument("--cores", type=int, default=100)
    given = parser.parse_args()
    lines, cores = given.lines, given.cores
    print(f"{lines:,.0f} lines, {cores} cores; hours\n")
    print(f"{'archives':44} {'core h':>8} {'decode':>8} {'merge':>8} {'all':>8} {'longest':>8}")
    for name, archives in {
        "1,000 of a size": even(lines, 1000),
        "100,000 of a size": even(lines, 100_000),
        "1,000, lognormal, sigma 1": uneven(lines, 1000, 1),
        "1,000, lognormal, sigma 2": uneven(lines, 1000, 2),
        "1,000, one has 1 % of all lines": huge(lines, 1000, 0.01),
        "1,000, one has 10 % of all lines": huge(lines, 1000, 0.1),
        "the same, that one in 100 parts": even(lines * 0.1, 100) + even(lines * 0.9, 999),
        "1 archive": [lines],
    }.items():
        decoding, merge, longest, work = night(archives, cores)
        total = work + merge * cores
        print(f"{name:44} {hours(total)} {hours(decoding)} {hours(merge)} {hours(decoding + merge)} {hours(longest)}")
    print(f"\n{'bytes':44} {'TB':>8}")
    for name, size in {
        "archives read": ARCHIVE_BYTES,
        "shuffled by a merge": SHUFFLED_BYTES,
        "facts in Parquet": FACT_BYTES,
        "merged tables in Parquet": MERGED_BYTES,
    }.items():
        print(f"{name:44} {lines * size / 1e12:8.2f}")
    print(f"\n{'one hot owner: submissions of one lineage':44} {'pairs':>12} {'hours on one core':>18}")
    for submissions in (1_000, 10_000, 100_000, 1_000_000):
        pairs = submissions**2
        print(f"{submissions:<44,} {pairs:12.1e} {pairs * PAIRS / MILLION / 3600:18.3f}")


if __name__ == "__main__":
    main()
