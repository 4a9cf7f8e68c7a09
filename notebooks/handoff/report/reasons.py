"""Why a hand-over costs what it costs: what the numbers of a run show about locks and waking."""

from handoff.studies.scaling import LOOKS

QUEUE, POOL, SEQUENTIAL = (
    LOOKS[name].label for name in ("ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "SEQUENTIAL")
)
LOADS = (1, 15, 300)

AWAKE = 0.1
"""Most switches per event at which a program's threads count as awake nearly always."""

BUSY = 1.5
"""Least cores busy at which two threads count as running at the same time."""

RISE = 3.0
"""Least factor by which switches per event grow that counts as a change of kind."""


def explain_costs(measured: list[dict]) -> dict:
    """Return `rows`, one per load with one consumer, and the `sentences` that they support.

    A row has extra time, cores busy and switches of queue and Disruptor; `measured` are the points
    whose threads have a core each, of which those of the last setting count.
    """
    setting = measured[-1]["setting"] if measured else ""
    known = {
        (row["sorts"], row["mechanism"]): row
        for row in measured
        if row["consumers"] <= 1 and row["sorts"] in LOADS and row["setting"] == setting
    }
    rows = []
    for sorts in LOADS:
        if all((sorts, name) in known for name in (QUEUE, POOL, SEQUENTIAL)):
            row = {"sorts": sorts, "alone_ns": known[sorts, SEQUENTIAL]["ns_per_event"]}
            for name, mechanism in (("queue", QUEUE), ("pool", POOL)):
                point = known[sorts, mechanism]
                row[f"{name}_extra_ns"] = point["excess_ns"]
                row[f"{name}_cores"] = point["cpu_usage"]
                row[f"{name}_switches"] = point["switches_per_event"]
            rows.append(row)
    return {"setting": setting, "rows": rows, "sentences": list_sentences(rows)}


def list_sentences(rows: list[dict]) -> list[str]:
    """Return the sentences; none that the numbers do not carry."""
    if not rows:
        return []
    first, last = rows[0], rows[-1]
    sentences = []
    contends = first["queue_switches"] < AWAKE and first["queue_cores"] > BUSY
    if contends and first["queue_extra_ns"] > first["alone_ns"]:
        sentences.append(
            f"With {name_load(first)}, the queue's two threads seldom sleep"
            f" ({format_switches(first)}) and keep {first['queue_cores']:.2f} cores busy, but an"
            f" event takes {first['queue_extra_ns']:,.0f} ns more than the"
            f" {first['alone_ns']:,.0f} ns of one thread alone. That fits two threads that are"
            " mostly awake and contend for the queue's one lock; what the few wake-ups cost"
            " these numbers do not show."
        )
    sleeps = last["queue_switches"] > RISE * first["queue_switches"]
    if sleeps and last["queue_cores"] < first["queue_cores"]:
        sentences.append(
            f"With {name_load(last)}, its threads sleep and are woken far more often"
            f" ({format_switches(last)}), and {last['queue_cores']:.2f} cores are busy. That fits a"
            " producer that waits at a full queue. The extra time of an event is then"
            f" {last['queue_extra_ns']:,.0f} ns, but the event itself takes one thread"
            f" {last['alone_ns']:,.0f} ns, so that the ratio is smaller."
        )
    if all(row["pool_switches"] < row["queue_switches"] for row in rows):
        switches = [row["pool_switches"] for row in rows]
        sentences.append(
            "The Disruptor's threads are switched less often at each of these loads"
            f" ({min(switches):.2g} to {max(switches):.2g} times per event)."
        )
    return sentences


def name_load(row: dict) -> str:
    return "one sort per event" if row["sorts"] == 1 else f"{row['sorts']} sorts per event"


def format_switches(row: dict) -> str:
    return f"{row['queue_switches']:.2g} voluntary switches per event"
