"""What notebook 70 and the paper show of the model."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handoff.draw.steps import Steps
from handoff.errors import BadInput
from handoff.model.machine import CONSTANTS, load_machine_file
from handoff.modelled import claims, comparison, figures, here, journey, predictions
from handoff.run.store import Run

NO_GATE = (
    "This run measured no hops beside points with one consumer, so nothing tells whether the model"
    " is near enough on its machine; what was found elsewhere is in data/model/gate.csv."
)
TWO, SIX, ALL = 2, 6, 11


class ModelReport:
    """What the model says, beside one run; figures go to its generated folder."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run, self.folder = run, folder / "figures"
        self.table = predictions.load_table()

    def comparison(self) -> pd.DataFrame:
        """Published numbers and the model's."""
        return comparison.load_comparison()

    def gate(self) -> pd.DataFrame:
        """Measured with one consumer, and the model's; of this run where it measured hops, and
        else of the sessions that are kept.
        """
        try:
            return here.compare_run(self.run)
        except BadInput:
            print(NO_GATE)
            return here.load_gate()

    def paper_figures(self) -> Figure:
        return figures.draw_paper_figures(
            self.table, here.list_passing(here.load_gate()), self.folder
        )

    def constants(self) -> pd.DataFrame:
        """One row a constant of the paper's machine."""
        content = load_machine_file(predictions.PAPER)
        rows = {
            name: {"what": CONSTANTS[name], **each.model_dump()}
            for name, each in content.constants.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def claims(self) -> pd.DataFrame:
        return claims.judge_claims(self.table).rename(columns={"says_here": "MODEL says"})

    def moves(self) -> Figure:
        return figures.draw_moves(self.table, self.folder)

    def what_ifs(self) -> Figure:
        return figures.draw_what_ifs(predictions.load_what_ifs(), self.folder)

    def what_if_table(self) -> pd.DataFrame:
        """Nanoseconds an event with few, six and all consumers."""
        table = predictions.load_what_ifs()
        chosen = table[table["consumers"].isin((TWO, SIX, ALL))]
        shown = chosen.pivot_table(
            index=["sorts", "mechanism", "consumers"], columns="arm", values="ns", sort=False
        ).round(0)
        return shown.rename_axis(columns="MODEL, ns an event")

    def watch(self, mechanism: str) -> Steps:
        """One event's journey, to step through."""
        return journey.show_journey(mechanism)
