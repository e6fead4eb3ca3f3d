"""From runs to figures, and from figures to text."""

import statistics

import measure
from programs import Mill

MIB = 1 << 20


def result(entry, entries):
    """One program's figures in one case; times are microseconds per line."""
    cpu, wall = (measure.median(entry.runs, name) / entry.lines * 1e6 for name in ("cpu", "wall"))
    stages = [entry.program.stages(one) for one in entry.runs]
    return {
        "program": entry.program.name,
        "kind": entry.program.kind,
        "lines": entry.lines,
        "cpu_us": cpu,
        "wall_us": wall,
        "cpu_spread": measure.spread(entry.runs, "cpu"),
        "peak_mib": measure.median(entry.runs, "peak") / MIB,
        "peak_is_bound": any(one.peak <= one.floor for one in entry.runs),
        "stages_us": {name: statistics.median(one[name] for one in stages) for name in stages[0]},
        "ratios": ratios(entry, entries),
        "findings": vars(entry.findings),
        "runs": [{"cpu": one.cpu, "wall": one.wall, "peak": one.peak} for one in entry.runs],
    }


def per_line(entry, name):
    return measure.median(entry.runs, name) / entry.lines


def ratios(entry, entries):
    """Of a mill: its share of the limit's speed, and how many times the baselines' speed it has; by CPU time."""
    found = {name: per_line(entry, kind) / per_line(other, kind) for name, other, kind in entry.against}
    if not isinstance(entry.program, Mill) or entry.against:
        return found
    for name, kind in (("of the limit", "limit"), ("times the C", "c"), ("times the Python", "python")):
        others = [one for one in entries if one.program.kind == kind and not one.against]
        if kind == "limit":
            # A mill is measured with the limit that inflates as it does.
            others.sort(key=lambda one: one.program.inflater != entry.program.inflater)
        if others:
            found[name] = per_line(others[0], "cpu") / per_line(entry, "cpu")
    return found


def aligned(header, rows):
    """Text in columns: the first to the left, numbers to the right, the last as it comes."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, *rows]:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])]
        yield "  ".join([*cells, row[-1]]).rstrip()


HEADER = ["program", "CPU us", "+-", "wall us", "peak MiB", "of limit", "x C", "x Python", ""]


def row(figures):
    known = dict(figures["ratios"])
    shown = []
    for name, form in (("of the limit", "{:.0%}"), ("times the C", "{:.1f}"), ("times the Python", "{:.1f}")):
        shown.append(form.format(known.pop(name)) if name in known else "")
    rest = ", ".join(f"{value:.2f} {name}" for name, value in known.items())
    return [
        f"  {figures['program']}",
        f"{figures['cpu_us']:.1f}",
        f"{figures['cpu_spread'] / 2:.0%}",
        f"{figures['wall_us']:.1f}",
        f"{'<' if figures['peak_is_bound'] else ''}{figures['peak_mib']:.0f}",
        *shown,
        rest,
    ]


def case_text(case):
    yield f"{case['name']}: {case['about']}"
    yield from aligned(HEADER, [row(figures) for figures in case["programs"]])


def stages_text(cases):
    """Where the mills' time goes, a row for each case; rest is what no stage has: start, end, indices."""
    rows, names = [], []
    for case in cases:
        for figures in case["programs"]:
            stages = figures["stages_us"]
            if any(stages.values()):
                names = list(stages)
                rest = figures["cpu_us"] - sum(stages.values())
                cells = [f"{value:.1f}" for value in stages.values()]
                rows.append([f"  {case['name']}: {figures['program']}", *cells, f"{rest:.1f}", ""])
    if rows:
        yield "CPU us per line, by stage"
        yield from aligned(["stage", *names, "rest", ""], rows)
