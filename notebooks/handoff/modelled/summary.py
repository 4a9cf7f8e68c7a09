"""What the paper says of the model."""

from typing import Any

import numpy as np

from handoff.modelled import claims, comparison, here, predictions
from handoff.modelled.figures import NAMES

QUEUE, POOL = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL"
ONE_NODE, TWO_NODES, MEDIUM = 5, 8, 15


def summarize_model() -> dict[str, Any]:
    """Claims as the model has them, by reading; how far off it was, by kind of mechanism; where it
    was near enough; and what one socket of twelve cores would change in figure 7's fall.
    """
    table = predictions.load_table()
    judged = claims.judge_claims(table)
    return {
        "claims": [
            {
                "claim": claim,
                "says": own["says"].iloc[0],
                "pool": own["says_here"].iloc[0],
                "striped": own["says_here"].iloc[1],
            }
            for claim, own in judged.groupby("claim", sort=False)
        ],
        "comparison": summarize_comparison(),
        "gate": summarize_gate(),
        "what_if": summarize_what_if(),
        "frozen": comparison.FROZEN,
    }


def summarize_comparison() -> list[dict[str, Any]]:
    """A row a source: how many numbers, and the least and greatest of model over published, those
    that the model was built from left out.
    """
    table = comparison.load_comparison()
    table = table[table["status"] != comparison.BUILT_FROM]
    return [
        {
            "source": source,
            "status": own["status"].iloc[0],
            "rows": len(own),
            "least": float(np.round(own["factor"].min(), 2)),
            "most": float(np.round(own["factor"].max(), 2)),
        }
        for source, own in table.groupby("source", sort=False)
    ]


def summarize_gate() -> list[dict[str, Any]]:
    """A row a mechanism: sessions, the least and greatest of model over measured with the hop that
    was timed beside the shots, the limit, and the loads at which one session was beyond it.
    """
    table = here.load_gate()
    passing = here.list_passing(table)
    own = table[table["hop"] == here.OWN]
    return [
        {
            "mechanism": name,
            "sessions": int(own["session"].nunique()),
            "least": float(np.round(own[own["mechanism"] == mechanism]["factor"].min(), 2)),
            "most": float(np.round(own[own["mechanism"] == mechanism]["factor"].max(), 2)),
            "limit": here.GATES[mechanism],
            "beyond": [
                sorts for (word, sorts), near in passing.items() if word == mechanism and not near
            ],
        }
        for mechanism, name in NAMES.items()
    ]


def summarize_what_if() -> dict[str, float]:
    """At 15 sorts, the queue's time with eight consumers over five: two sockets, and one."""
    table = predictions.load_what_ifs()
    own = table[(table["mechanism"] == QUEUE) & (table["sorts"] == MEDIUM)]
    found = own.pivot_table(index="consumers", columns="arm", values="ns")
    ratio = found.loc[TWO_NODES] / found.loc[ONE_NODE]
    return {
        "two_sockets": float(np.round(ratio["as it is"], 2)),
        "one_socket": float(np.round(ratio["one socket of twelve cores"], 2)),
    }
