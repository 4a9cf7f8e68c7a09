"""What notebook 70 and the paper show of the model."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from handoff.draw.steps import Steps
from handoff.model.machine import CONSTANTS, load_machine_file
from handoff.modelled import comparison, figures, gate, journey, predictions, what_ifs
from handoff.modelled.sayings import judge_kept
from handoff.run.store.run import Run
from handoff.studies.scaling.figures import ScalingFigures
from handoff.studies.scaling.paper_figures import draw_page


class ModelReport:
    """What the model says, whatever the run, and what the run measured beside it; figures of the
    model go to the run's generated folder.
    """

    def __init__(self, run: Run, folder: Path) -> None:
        self.measured, self.folder = ScalingFigures(run, folder), folder / "figures"
        self.table = predictions.load_table()

    def comparison(self) -> pd.DataFrame:
        """Published numbers and the model's."""
        return comparison.load_comparison()

    def gate(self) -> pd.DataFrame:
        """Measured with one consumer, and the model's, of the sessions that are kept: by mechanism
        and load the least and greatest factor.
        """
        return gate.summarize(gate.load_gate())

    def gate_matched(self) -> pd.DataFrame:
        """The same of the shipped run, at as many sorts as cost there what the paper's did."""
        return gate.summarize(gate.read_table(gate.MATCHED_TABLE))

    def paper_figures(self) -> Figure:
        return figures.draw_paper_figures(self.table, gate.load_near(), self.folder)

    def measured_figures(self) -> Figure | None:
        """Figures 3 to 8 as the run measured them; None unless it has all three loads. Drawn and
        not kept: notebook 10, which may run at the same time, keeps them.
        """
        study = self.measured
        if not study.whole:
            return None
        figure = draw_page(
            study.baseline, study.cores, "Measured; notebook 10 has it with its trace."
        )
        plt.close(figure)
        return figure

    def constants(self) -> pd.DataFrame:
        """One row a constant of the paper's machine."""
        content = load_machine_file(predictions.PAPER)
        rows = {
            name: {"what": CONSTANTS[name], **each.model_dump()}
            for name, each in content.constants.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def claims(self) -> pd.DataFrame:
        return judge_kept().rename(columns={"says_here": "MODEL says"})

    def moves(self) -> Figure:
        return figures.draw_moves(self.table, self.folder)

    def what_ifs(self) -> Figure:
        changed = predictions.load_what_ifs()
        return what_ifs.draw_what_ifs(self.table, changed, gate.load_near(), self.folder)

    def fall(self) -> pd.DataFrame:
        """Does the number of consumers or the second node make figure 7's fall?"""
        return what_ifs.tabulate_fall(self.table, predictions.load_what_ifs())

    def watch(self, mechanism: str, places: tuple[int, int] = journey.NEAR) -> Steps:
        """One event's journey between two of the machine's cores, to step through."""
        return journey.show_journey(mechanism, places)
