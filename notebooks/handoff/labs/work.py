"""A student's work on one lab, in the folder of the notebook: the prediction, and what followed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handoff.errors import BadInput
from handoff.files import read_json, write_json
from handoff.labs.lab import Lab, check_prediction
from handoff.paths import display_path
from handoff.run.store.run import Run, read_run
from handoff.text import pluralize

PREDICTION = "prediction.json"
RUNS = "runs"
TRIALS = "trials.json"

MEASURED = "measured.txt"
"""Names the student's own class that was measured last."""

Findings = dict[str, dict[str, str]]
"""The fault that each test found in each subject, or ''."""


class Work:
    """Files of one student for one lab: prediction.json, and runs/ or trials.json.

    `refused` says why what was handed in does not count, or is ''.
    """

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.lab, self.folder, self.refused = lab, folder, ""

    def read_prediction(self) -> dict[str, Any] | None:
        """Load prediction.json, or return None before it exists."""
        file = self.folder / PREDICTION
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            if content["lab"] == self.lab.number:
                return dict(content["prediction"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, TypeError):
            raise BadInput(
                f"{display_path(file)} is not readable: remove it, and predict again."
            ) from None
        raise BadInput(f"{display_path(file)} is of another lab than {self.lab.number}.")

    def predict(self, prediction: Mapping[str, Any]) -> None:
        """Write the prediction; raise BadInput if it is invalid, or another was measured with."""
        check_prediction(self.lab, prediction)
        stated = self.read_prediction()
        measured = self.run_folders or (self.folder / TRIALS).is_file()
        if measured and stated not in (None, prediction):
            raise BadInput(
                "You have measured with another prediction, which stays. To start over, move"
                f" {display_path(self.folder)} away."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        content = {"lab": self.lab.number, "prediction": dict(prediction)}
        write_json(self.folder / PREDICTION, content)

    def require(self) -> dict[str, Any]:
        """Return the prediction; raise BadInput before there is one."""
        stated = self.read_prediction()
        if stated is None:
            raise BadInput("Predict first: nothing is measured before the prediction is on disk.")
        return stated

    @property
    def run_folders(self) -> list[Path]:
        return [file.parent for file in sorted((self.folder / RUNS).glob("*/plan.json"))]

    def find_run(self) -> Run:
        """Return the latest run, of the class measured last; raise BadInput if there is none."""
        runs = list(map(read_run, self.run_folders))
        if self.lab.own_class and (self.folder / MEASURED).is_file():
            word = (self.folder / MEASURED).read_text().strip()
            runs = [run for run in runs if run.sweep.jvm.yours == word]
        if not runs:
            raise BadInput("Nothing is measured yet: measure first.")
        return max(runs, key=lambda run: str(run.identity.get("started")))

    def read_trials(self) -> Findings:
        """Load the findings so far; {} if the file is missing or broken."""
        try:
            found = read_json(self.folder / TRIALS)
            return {test: dict(faults) for test, faults in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def find_measured(self) -> Run | Findings:
        """Return the complete run, or the findings of all trials; raise BadInput without these."""
        if self.refused:
            raise BadInput(f"{self.refused}.")
        self.require()
        if self.lab.trials:
            findings = self.read_trials()
            kept = {test: tuple(faults) for test, faults in findings.items()}
            if kept != dict.fromkeys(self.lab.trials, self.lab.subjects):
                raise BadInput(f"{TRIALS} does not hold all trials: measure first.")
            return findings
        run = self.find_run()
        if missing := run.missing():
            raise BadInput(f"{pluralize(len(missing), 'fork')} missing: measure again.")
        return run
