"""Handoff's one command line; `./run_all.sh` hands over to it.

[PROFILE] [STAGE ...] [options]       measure, tidy and draw
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

from handoff import check, lab, road, watch
from handoff.errors import BAD_INPUT, COMPLETE, BadInput, Ending
from handoff.names import counted
from handoff.paths import RUNS, run_folder
from handoff.run import merge, sweep

SIGNALLED = 128
PROFILES = (
    "quick (default): an honest small measurement; smoke: proves the road, says nothing; paper: the published sizes, hours; "
    "load, sensitivity: more questions to the same study; reference, or any run's name: redraw it, measure nothing; "
    "or the path of a sweep"
)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="./run_all.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("profile", nargs="?", default="quick", metavar="PROFILE", help=PROFILES)
    made.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(road.STAGES)} (default: all, in this order)")
    made.add_argument("--data", type=Path, default=RUNS, metavar="DIR", help="keep the runs in DIR instead of data/runs")
    choosing = made.add_argument_group("choosing")
    only = "keep of the sweep only a study, or the points with these values: --only mechanism=SEQUENTIAL --only consumers=1..3"
    choosing.add_argument("--only", action="append", default=[], metavar="WHAT", help=only)
    sets = "give all points other values, or change a key of the sweep: --set capacity=1024,8192 --set forks.fitting=3"
    choosing.add_argument("--set", action="append", default=[], metavar="NAME=VALUES", help=sets)
    measuring = made.add_argument_group("measuring")
    measuring.add_argument("--dry-run", action="store_true", help="print points, forks, order and expected time; measure nothing")
    measuring.add_argument("--strict", action="store_true", help="refuse to start on a machine that is not ready")
    measuring.add_argument("--retry-failed", action="store_true", help="try forks again that failed twice")
    made.add_argument("--json", action="store_true", help="make the last line one JSON object")
    made.add_argument("--deep", action="store_true", help="with test: also what takes long (10 minutes more)")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code; every bad ending is one sentence on standard error."""
    options = parser().parse_intermixed_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        # nohup starts us with SIGHUP ignored, and means it.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, watch.terminated)
    try:
        return {"test": check.run, "lab": lab.run, "merge": merged, "schema": schema}.get(options.profile, road.go)(options)
    except Ending as ending:
        return say(options, str(ending), ending.code)
    except OSError as refused:
        return say(options, f"{refused.filename or 'a file'}: {refused.strerror}.", BAD_INPUT)
    except watch.Interrupted as stop:
        return say(options, f"Stopped ({stop}). Nothing measured is lost: the same command goes on from here.", SIGNALLED + stop.number)
    except KeyboardInterrupt:
        return say(options, "Stopped.", SIGNALLED + signal.SIGINT)


def say(options: argparse.Namespace, sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr, flush=True)
    if options.json:
        print(json.dumps({"exit": code, "error": sentence}))
    return code


def merged(options: argparse.Namespace) -> int:
    """`merge FROM INTO`, each a run's name or folder."""
    if len(options.stages) != 2:
        raise BadInput("merge needs two runs: the one to take forks from, and the one to add them to.")
    source, into = (road.existing(word, options.data.resolve()) or run_folder(word) for word in options.stages)
    done = merge.merge(source, into)
    spoilt = f" {done.spoilt} must not be read as data and were left." if done.spoilt else ""
    print(f"{counted(done.copied, 'fork')} copied into {into.name}; {done.there} it has of its own.{spoilt}")
    return COMPLETE


def schema(_: argparse.Namespace) -> int:
    print(json.dumps(sweep.sweep_model().model_json_schema(), indent=2))
    return COMPLETE
