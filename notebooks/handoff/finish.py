"""The end of the road: tables, figures, where they are and what to do next."""

import argparse
import json
import shutil
import sys

from handoff import notebook, tidy
from handoff.errors import COMPLETE, INCOMPLETE, BadInput
from handoff.paths import generated, shown
from handoff.run import state, store
from handoff.terminal import console

NEXT = {
    "smoke": "the road works; ./run_all.sh measures this machine.",
    "quick": "./run_all.sh load or sensitivity asks more; paper measures at the published size.",
}


def finish(run: store.Run, stages: list[str], options: argparse.Namespace) -> int:
    """Tidies and draws, and says where the results are and what to do next. INCOMPLETE when forks are missing."""
    found = state.look(run)
    for sentence in found.spoilt:
        console.print(sentence)
    if "tidy" in stages:
        notebook.execute("02_tidy", run.folder)
        console.print(f"Table:   {shown(run.folder / 'tidy')}/scaling.csv")
    if "figures" in stages:
        draw(run, found)
    missing = state.missing(run, found)
    failed = state.given_up(run, missing)
    if missing:
        reasons = "; ".join(f"{number} {kind}, see {shown(run.folder / kind)}" for kind, number in failed.items() if number)
        step = " Next: the same command tries each a second time, and more often with --retry-failed." if "measure" in stages else ""
        print(f"{len(missing)} of {len(run.tasks())} forks are missing{': ' if reasons else ''}{reasons}.{step}", file=sys.stderr)
    elif options.profile in NEXT and "figures" in stages:
        console.print(f"Next:    {NEXT[options.profile]}")
    code = INCOMPLETE if missing else COMPLETE
    if options.json:
        paths = {"folder": str(run.folder), "figures": str(generated(run.folder) / "figures")}
        counts = {"asked": len(run.tasks()), "found": len(run.tasks()) - len(missing), **failed}
        print(json.dumps({"exit": code, "run": run.folder.name, **paths, **counts}), flush=True)
    return code


def draw(run: store.Run, found: state.State) -> None:
    """Draws from tables that hold exactly the forks that are there; figures of an earlier drawing go first."""
    shots = tidy.load(run, "scaling")
    tabled = set() if shots.empty else set(shots[["point", "fork", "again"]].itertuples(index=False, name=None))
    if tabled != {(*fork, again) for fork, measurements in found.measured.items() for again in measurements}:
        raise BadInput(f"The tables of {run.folder.name} do not hold the forks that are there now: run the stage tidy first.")
    figures = generated(run.folder) / "figures"
    shutil.rmtree(figures, ignore_errors=True)
    notebook.execute("10_scaling", run.folder)
    whole = ", all on one page: scaling.pdf" if (figures / "scaling.pdf").is_file() else ""
    console.print(f"Figures: {shown(figures)}/ (SVG, PDF, PNG{whole})")
