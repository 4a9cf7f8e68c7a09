"""Handoff's one command line; `./run_all.sh` hands over to it.

[PROFILE] [STAGE ...] [options]       measure, tidy, draw, judge, and build the paper
trace ID                              lead from a figure's or verdict's id back to its fork files
compare BEFORE AFTER                  what changed between two runs; two machines side by side (exit code 4: slower)
test [--deep]                         check this checkout: Java and Python tests, linters, one real smoke sweep
merge FROM INTO                       add to a run the forks of the same run measured into another folder
schema                                print the JSON schema of sweeps, for editors
lab                                   JupyterLab on this machine only
"""

import argparse
import json
import signal
import sys
from pathlib import Path

from handoff.cli import checks, jupyter, pipeline, progress
from handoff.errors import BAD_INPUT, COMPLETE, REGRESSION, BadInput, HandoffError
from handoff.paths import RUNS, display_path, find_run_folder, generated_folder
from handoff.run import merge, store, sweep
from handoff.tables import trace
from handoff.text import pluralize

SIGNALLED = 128
PROFILES = (
    "quick (default): an honest small measurement; smoke: proves the road, says nothing; paper: the"
    " published sizes, hours; load, sensitivity, warmup: more questions to the same study;"
    " reference, or any run's name: redraw it, measure nothing; or the path of a sweep"
)


def build_parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="./run_all.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("profile", nargs="?", default="quick", metavar="PROFILE", help=PROFILES)
    made.add_argument(
        "stages",
        nargs="*",
        metavar="STAGE",
        help=f"of {', '.join(pipeline.STAGES)} (default: all, in this order)",
    )
    made.add_argument(
        "--data",
        type=Path,
        default=RUNS,
        metavar="DIR",
        help="keep the runs in DIR instead of data/runs",
    )
    choosing = made.add_argument_group("choosing")
    only = (
        "keep of the sweep only a study, or the points with these values: --only"
        " mechanism=SEQUENTIAL --only consumers=1..3"
    )
    choosing.add_argument("--only", action="append", default=[], metavar="WHAT", help=only)
    sets = (
        "give all points other values, or change a key of the sweep: --set capacity=1024,8192 --set"
        " forks.fitting=3"
    )
    choosing.add_argument("--set", action="append", default=[], metavar="NAME=VALUES", help=sets)
    measuring = made.add_argument_group("measuring")
    measuring.add_argument(
        "--dry-run",
        action="store_true",
        help="print points, forks, order and expected time; measure nothing",
    )
    measuring.add_argument(
        "--strict", action="store_true", help="refuse to start on a machine that is not ready"
    )
    measuring.add_argument(
        "--retry-failed", action="store_true", help="try forks again that failed twice"
    )
    margin = "with compare: by how many percent a point must be slower to count (default 5)"
    made.add_argument("--margin", type=float, default=5.0, metavar="PERCENT", help=margin)
    made.add_argument("--json", action="store_true", help="make the last line one JSON object")
    made.add_argument(
        "--deep", action="store_true", help="with test: also what takes long (10 minutes more)"
    )
    return made


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code; every bad ending is one sentence on standard
    error.
    """
    options = build_parser().parse_intermixed_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        # nohup starts us with SIGHUP ignored, and means it.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, progress.raise_interrupted)
    try:
        return VERBS.get(options.profile, pipeline.run_stages)(options)
    except HandoffError as ending:
        return report_ending(options, str(ending), ending.code)
    except OSError as refused:
        return report_ending(
            options, f"{refused.filename or 'a file'}: {refused.strerror}.", BAD_INPUT
        )
    except progress.Interrupted as stop:
        return report_ending(
            options,
            f"Stopped ({stop}). Nothing measured is lost: the same command goes on from here.",
            SIGNALLED + stop.number,
        )
    except KeyboardInterrupt:
        return report_ending(options, "Stopped.", SIGNALLED + signal.SIGINT)


def report_ending(options: argparse.Namespace, sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps({"exit": code, "error": sentence}))
    return code


def merge_runs(options: argparse.Namespace) -> int:
    """`merge FROM INTO`, each a run's name or folder."""
    source, into = find_two_runs(
        options, "merge needs two runs: the one to take forks from, and the one to add them to."
    )
    done = merge.merge_runs(source, into)
    spoilt = f" {done.spoilt} must not be read as data and were left." if done.spoilt else ""
    print(
        f"{pluralize(done.copied, 'fork')} copied into {into.name}; {done.there} it has of its"
        f" own.{spoilt}"
    )
    return COMPLETE


def find_two_runs(options: argparse.Namespace, sentence: str) -> list[Path]:
    """The folders of the two runs that a verb names; BadInput with the sentence unless there are
    two.
    """
    if len(options.stages) != 2:
        raise BadInput(sentence)
    return [
        pipeline.find_run(word, options.data.resolve()) or find_run_folder(word)
        for word in options.stages
    ]


def compare_runs(options: argparse.Namespace) -> int:
    """`compare BEFORE AFTER`: prints what changed and keeps it as a table.

    REGRESSION when a point of the same machine is slower.
    """
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.analysis import comparison

    before, after = (
        store.read_run(folder)
        for folder in find_two_runs(
            options, "compare needs two runs: the one before, and the one after."
        )
    )
    if not 0 <= options.margin <= 1000:
        raise BadInput(f"--margin is {options.margin:g}; allowed is a percentage from 0 to 1000.")
    found = comparison.compare_runs(before, after, options.margin / 100)
    print(*comparison.describe_comparison(found, before, after, options.margin / 100), sep="\n")
    if found.rows.empty:
        return COMPLETE
    path = generated_folder(after.folder) / f"compared-with-{before.folder.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    found.rows.to_csv(path, index=False)
    print(f"Table: {display_path(path)}")
    return COMPLETE if found.slower.empty else REGRESSION


def trace_id(options: argparse.Namespace) -> int:
    """`trace ID`."""
    if len(options.stages) != 1:
        raise BadInput("trace needs one id, as it stands below a figure or in verdicts.csv.")
    found = trace.find_trace(options.stages[0], options.data.resolve())
    print(*trace.describe_trace(found, store.read_run(find_run_folder(found["folder"]))), sep="\n")
    return COMPLETE


def print_schema(_: argparse.Namespace) -> int:
    print(json.dumps(sweep.build_sweep_model().model_json_schema(), indent=2))
    return COMPLETE


VERBS = {
    "test": checks.run_checks,
    "lab": jupyter.start_lab,
    "merge": merge_runs,
    "schema": print_schema,
    "compare": compare_runs,
    "trace": trace_id,
}
