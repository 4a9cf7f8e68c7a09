"""Figure and table of the counters: cost of an increment, here and published."""

import pandas as pd
from matplotlib.figure import Figure

from handoff.analysis.baseline import select_baseline
from handoff.analysis.forks import mean_level
from handoff.draw import marks
from handoff.draw.page import draw_legend, new_figure
from handoff.draw.study_figures import StudyFigures
from handoff.draw.words import Words, format_brief
from handoff.paths import PUBLISHED
from handoff.studies.counters import STUDY
from handoff.studies.ratios import describe_level
from handoff.text import pluralize

CAPTION = (
    "Dots: forks; black: their level; band: 95 % interval. Diamonds: published, per increment of"
    " all threads together, as we assume."
)
PUBLISHED_INCREMENTS = 500_000_000
ORDER = [("PLAIN", 1), ("VOLATILE", 1), ("CAS", 1), ("LOCK", 1), ("CAS", 2), ("LOCK", 2)]
"""Order of the claim, the cheapest first."""

COLUMNS = [
    *("counter", "threads", "forks", "ns", "low", "high", "times plain"),
    *("published ns", "published times plain"),
]


class CountersFigures(StudyFigures):
    """Figure and table of the study."""

    name = "counters"

    @staticmethod
    def select(forks: pd.DataFrame) -> pd.DataFrame:
        return select_baseline(forks, "counters", ("threads",))

    def figure(self) -> Figure | None:
        """Draw nanoseconds per increment."""
        if self.baseline.empty:
            return None
        words = write_words(self.baseline, self.note("counters", self.baseline))
        return self.save(draw_increments(self.baseline), "counters", words)

    def table(self) -> pd.DataFrame:
        """Return ns per increment by mechanism and threads, next to the published numbers."""
        return tabulate_increments(self.baseline)


def write_words(forks: pd.DataFrame, note: str) -> Words:
    """Return the figure's words; the title compares the dearest increment with the cheapest."""
    table = tabulate_increments(forks)
    words = [
        f"{name}, {pluralize(int(threads), 'thread')}: {format_brief(row['ns'])} ns"
        for (name, threads), row in table.iterrows()
    ]
    title = "What an increment costs"
    if len(table) > 1 and table[["low", "times plain"]].notna().all(axis=None):
        (name, threads), times = table["ns"].idxmax(), table["times plain"]
        title = (
            f"An increment by {name}, {pluralize(int(threads), 'thread')}, costs"
            f" {format_brief(times[name, threads])} times a plain one"
        )
    return Words(title, CAPTION, f"Time of an increment. {'; '.join(words)}.", note)


def draw_increments(forks: pd.DataFrame) -> Figure:
    """Draw one column per way to increment, one dot per fork, the published number next to it."""
    fig, ((axes,),) = new_figure(height=3.0)
    published = load_published()
    for place, (mechanism, threads) in enumerate(ORDER):
        point = select_point(forks, mechanism, threads)
        if len(point):
            marks.draw_forks(axes, place, point, "ns_per_event", STUDY.look(mechanism))
            if point["oversubscribed"].any():
                marks.shade_column(axes, place)
        marks.draw_published(axes, place - 0.25, published[mechanism, threads], "d")
    axes.set(yscale="log", ylabel="time of an increment", xlim=(-0.6, len(ORDER) - 0.4))
    names = [f"{STUDY.look(name).short}\n{pluralize(n, 'thread')}" for name, n in ORDER]
    axes.set_xticks(range(len(ORDER)), names)
    marks.format_time_axis(axes.yaxis)
    draw_legend(fig, [marks.make_published_handle("d", "published, Westmere EP 2.4 GHz")])
    return fig


def load_published() -> pd.Series:
    """Return published nanoseconds per increment by mechanism and threads."""
    table = pd.read_csv(PUBLISHED / "counters.csv")
    return table.set_index(["mechanism", "threads"])["ms"] * 1e6 / PUBLISHED_INCREMENTS


def select_point(forks: pd.DataFrame, mechanism: str, threads: int) -> pd.DataFrame:
    return forks[(forks["mechanism"] == mechanism) & (forks["threads"] == threads)]


def tabulate_increments(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per way to increment: ns with its 95 % interval, and the published ns."""
    if forks.empty:
        return forks
    rows, published = [], load_published()
    plain = select_point(forks, "PLAIN", 1)
    for mechanism, threads in ORDER:
        point = select_point(forks, mechanism, threads)
        if len(point):
            level = describe_level(point)
            times = level["ns"] / mean_level(plain) if len(plain) else float("nan")
            theirs = published[mechanism, threads]
            ours = [len(point), *level.values(), times]
            label = STUDY.look(mechanism).label
            rows.append([label, threads, *ours, theirs, theirs / published["PLAIN", 1]])
    table = pd.DataFrame(rows, columns=COLUMNS).set_index(["counter", "threads"])
    return table.round({"times plain": 1, "published ns": 1, "published times plain": 1}).round(2)
