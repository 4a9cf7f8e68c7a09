"""docs/machines.md: what runs of several machines say, side by side and never pooled."""

import re
import tempfile
from itertools import product
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from handoff.analysis.forks import compute_fork_means, estimate_ratio
from handoff.claims import verdicts
from handoff.claims.verdict_table import build_verdict_table
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.save import save_figure, use_style
from handoff.draw.words import Words
from handoff.files import write_bytes, write_text
from handoff.paths import DOCS, RUNS, SHIPPED, list_run_folders
from handoff.registry import find_primary
from handoff.run.host.machine import count_usable, count_usable_cores
from handoff.run.store.run import Run, read_run
from handoff.studies.scaling import FREQUENCIES, LOOKS, paper_figures
from handoff.study import MARKERS, PALETTE
from handoff.tables import tidy
from handoff.text import format_table, format_value, pluralize

PAGE = DOCS / "machines.md"
PICTURE = "machines.svg"
NAMES = (SHIPPED, "machine-")
"""What the names of run archives start with that the page reads."""

PROFILES = ("quick", "full", "paper")
"""Profiles that hold the study's points, so that their runs can be compared."""

MARKS = {
    verdicts.REPRODUCED: "●",
    verdicts.DIRECTION: "✚",
    verdicts.SMALLER: "▼",
    verdicts.LARGER: "▲",
    verdicts.UNDECIDED: "◆",
    verdicts.CONTRADICTED: "✖",
    verdicts.INCONCLUSIVE: "■",
    verdicts.HOLDS: "○",
    verdicts.FAILS: "×",
}
NONE = "–"

QUEUE, POOL, ALONE = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "SEQUENTIAL"
PAIRS = ((QUEUE, ALONE), (QUEUE, POOL))
CONSUMERS = (1, 5, 11)

ROW_INCHES, MARGIN_INCHES = 0.42, 1.0
SPREAD = 0.6
"""Part of a row of the picture over which the machines are spread."""

HEAD = """\
# Verdicts by machine

Written by `./run_all.sh verdicts` from the runs of the paper's study in `data/runs` whose names
start with `reference` or `machine-`. Machines are never pooled: each run is judged by itself, by
the same rules. To add a machine, [send its run](../.github/ISSUE_TEMPLATE/run.yml).
"""


class Ratio(NamedTuple):
    """A machine's ratio with the ends of its interval, None where it has none."""

    machine: str
    row: str
    value: float
    low: float | None
    high: float | None


def list_machine_runs() -> list[Run]:
    """Return the runs of the paper's study in data/runs that are to be shown, the shipped first."""
    named = [folder for folder in list_run_folders(RUNS) if folder.name.startswith(NAMES)]
    runs = [
        run
        for run in map(read_run, sorted(named, key=lambda f: (f.name != SHIPPED, f.name)))
        if run.identity["profile"] in PROFILES
        and any(point.study == find_primary().name for point in run.points)
    ]
    for run in runs:
        tidy.write_tables(run)
    return runs


def write_machines(runs: list[Run], pictures: Path, more: list[str]) -> list[Path]:
    """Write the page, with `more` at its end, and its picture, and return their paths."""
    lines = [HEAD, *describe_machines(runs), "", *describe_verdicts(runs), ""]
    ratios = [ratio for run in runs for ratio in list_ratios(run)]
    made = [PAGE]
    if ratios:
        lines += ["## Main ratios", "", f"![Ratios of times by machine](pictures/{PICTURE})", ""]
        made.append(draw_picture(ratios, pictures / PICTURE))
    write_text(PAGE, "\n".join([*lines, *more]))
    return made


def describe_machines(runs: list[Run]) -> list[str]:
    """Return the table of machines; what a run says of itself is cleaned of markup."""
    rows = []
    for run in runs:
        shots = tidy.load_table(run, find_primary().name)
        rows.append(
            {
                "run": run.folder.name,
                "processor": clean(run.machine["cpu"] or run.machine["architecture"]),
                "sockets": count_usable(run.machine, "socket") or "?",
                "cores": count_usable_cores(run.machine),
                "kind": "virtual" if run.machine["topology"]["virtual"] else "physical",
                "JDK": clean(run.identity["jdk"]),
                "measured": clean(run.identity["started"])[:10],
                "sessions": shots["session"].nunique() if len(shots) else 0,
                "forks": len(shots.drop_duplicates(["point", "fork"])),
            }
        )
    return format_table(list(rows[0]), [row.values() for row in rows])


def describe_verdicts(runs: list[Run]) -> list[str]:
    """Return the table of verdicts, one mark per claim."""
    tables = {run.folder.name: build_verdict_table(run, [find_primary().name]) for run in runs}
    marks = {
        name: {row.claim: MARKS.get(row.verdict, NONE) for row in table.itertuples()}
        for name, table in tables.items()
    }
    claims = list(dict.fromkeys(claim for known in marks.values() for claim in known))
    body = [[name, *(known.get(claim, NONE) for claim in claims)] for name, known in marks.items()]
    legend = ", ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items())
    return [
        "## Verdicts",
        "",
        *format_table(["run", *claims], body),
        "",
        f"{legend}, {NONE} not judged there. How many points a verdict stands for:"
        " [verdicts](verdicts.md).",
    ]


def list_ratios(run: Run) -> list[Ratio]:
    """Return the run's main ratios, at the numbers of consumers that have a core each."""
    forks = compute_fork_means(tidy.load_table(run, find_primary().name))
    if forks.empty:
        return []
    rows = paper_figures.select_baseline(forks)
    rows = rows[~rows["oversubscribed"].astype(bool)]
    ratios = []
    for (above, below), consumers, sorts in product(PAIRS, CONSUMERS, FREQUENCIES):
        compared = (rows["consumers"] == consumers) | (rows["mechanism"] == ALONE)
        load = rows[compared & (rows["sorts"] == sorts)]
        sides = [load[load["mechanism"] == mechanism] for mechanism in (above, below)]
        if all(map(len, sides)):
            estimate = estimate_ratio(*sides)
            bounds = estimate.interval() or (None, None)
            words = (
                f"{LOOKS[above].short} ÷ {LOOKS[below].short},\n{pluralize(consumers, 'consumer')},"
                f" {pluralize(sorts, 'sort')}"
            )
            ratios.append(Ratio(run.folder.name, words, estimate.ratio, *bounds))
    return ratios


def draw_picture(ratios: list[Ratio], file: Path) -> Path:
    """Draw the forest plot of the machines' ratios as SVG."""
    use_style()
    names = {ratio.machine for ratio in ratios}
    words = Words(
        f"Main ratios of {pluralize(len(names), 'run')}, each judged by itself",
        "Right of 1 the blocking queue takes longer than what it is divided by.",
        "; ".join(f"{r.machine}, {r.row}: {format_value(r.value)}" for r in ratios),
        "Bars: 95 % intervals, over sessions where a run has several. Machines are not pooled.",
    )
    with tempfile.TemporaryDirectory() as folder:
        svg, *_ = save_figure(draw_forest(ratios), Path(folder), "machines", words)
        write_bytes(file, svg.read_bytes())
    return file


def draw_forest(ratios: list[Ratio]) -> Figure:
    """Draw the ratios on a logarithmic axis, in the order in which their rows first occur."""
    rows = list(dict.fromkeys(ratio.row for ratio in ratios))
    machines = list(dict.fromkeys(ratio.machine for ratio in ratios))
    figure, ((axes,),) = new_figure(height=MARGIN_INCHES + ROW_INCHES * len(rows))
    axes.axvline(1, color="black", linewidth=0.8)
    handles = []
    for number, machine in enumerate(machines):
        shown = [ratio for ratio in ratios if ratio.machine == machine]
        shift = SPREAD * ((number + 0.5) / len(machines) - 0.5)
        places = [rows.index(ratio.row) + shift for ratio in shown]
        colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
        style = {"ls": "", "marker": marker, "ms": 5, "color": colour, "label": machine}
        handles += axes.plot([ratio.value for ratio in shown], places, **style)
        for ratio, place in zip(shown, places, strict=True):
            if ratio.low is not None:
                axes.plot([ratio.low, ratio.high], [place, place], color=colour)
    axes.set(xscale="log", xlabel="ratio of times per event", ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    draw_legend(figure, handles)
    return figure


def clean(words: object) -> str:
    """Return at most 80 characters of a stranger's words, without markup, links and mentions."""
    plain = re.sub(r"[^\w .,+()@-]|@(?=\S)|www\.", "", str(words), flags=re.ASCII | re.IGNORECASE)
    return plain[:80].strip()
