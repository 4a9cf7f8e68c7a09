"""What the paper says of the model."""

from typing import Any

import numpy as np
import pandas as pd

from handoff.modelled import comparison, gate, predictions, sayings, what_ifs
from handoff.modelled.look import NAMES
from handoff.modelled.world import CPU, TIME


def summarize_model() -> dict[str, Any]:
    """Claims as the model has them, by reading; how far off it was, by source and mechanism; where
    it was near enough; and what one socket of twelve cores would change in figure 7's fall.
    """
    table, changed = predictions.load_table(), predictions.load_what_ifs()
    return {
        "claims": [
            {
                "claim": claim,
                "says": own["says"].iloc[0],
                "pool": tell_claim(own.iloc[0]),
                "striped": tell_claim(own.iloc[1]),
            }
            for claim, own in sayings.judge_kept().groupby("claim", sort=False)
        ],
        "comparison": summarize_comparison(),
        "gate": summarize_gate(),
        "fall": what_ifs.tabulate_fall(table, changed).reset_index().to_dict("records"),
    }


def tell_claim(row: pd.Series) -> str:
    """What the model says of one reading; in how many variants the claim holds, and how far these
    are apart.
    """
    said = row["says_here"].removeprefix("the model ")
    return f"{said}: {row['holds in']} of {row['arms']}, ×{row['apart']}"


def summarize_comparison() -> dict[str, Any]:
    """A row a source and mechanism: how many numbers, and the least and greatest of model over
    published, those that the model was built from left out; and how many it has no answer to.
    """
    table = comparison.load_comparison()
    compared = table[table["status"].isin([comparison.SEEN, comparison.PREDICTED])]
    return {
        "left_out": int((table["status"] == comparison.NOT_MODELLED).sum()),
        "rows": [
            {
                "source": source,
                "what": what,
                "rows": len(own),
                "least": round_factor(own["factor"].min()),
                "most": round_factor(own["factor"].max()),
            }
            for (source, what), own in compared.groupby(["source", "what"], sort=False)
        ],
    }


def summarize_gate() -> list[dict[str, Any]]:
    """A row a mechanism: sessions, the least and greatest of model over measured with hops timed
    beside the shots, limits, and the loads at which one session was beyond them, for times and
    for cores kept busy.
    """
    table, near = gate.load_gate(), gate.load_near()
    own = table[table["hop"] == gate.BESIDE]
    return [
        {
            "mechanism": name,
            "sessions": int(own["session"].nunique()),
            "time": describe_gate(own, mechanism, "factor", near[TIME])
            | {"limit": f"×{gate.GATES[mechanism]}"},
            "cores": describe_gate(own, mechanism, "cores_off", near[CPU])
            | {"limit": f"±{gate.CPU_GATE}"},
        }
        for mechanism, name in NAMES.items()
    ]


def describe_gate(
    table: pd.DataFrame, mechanism: str, column: str, passing: gate.Passing
) -> dict[str, Any]:
    own = table[table["mechanism"] == mechanism][column]
    return {
        "least": round_factor(own.min()),
        "most": round_factor(own.max()),
        "beyond": [sorts for sorts in predictions.LOADS if (mechanism, sorts) not in passing],
    }


def round_factor(value: float) -> float:
    return float(np.round(value, 2))
