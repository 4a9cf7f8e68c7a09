"""The options of `lab` and `grade`."""

import argparse
from pathlib import Path

from handoff.cli.options import resolve_path
from handoff.cli.request import GradeRequest, LabRequest
from handoff.errors import BadInput

OPEN, PREDICT, MEASURE, CHECK, PACK, DOCTOR = STEPS = (
    "open",
    "predict",
    "measure",
    "check",
    "pack",
    "doctor",
)
BUNDLE = "bundle"
STEP_HELP = (
    "open (default): its notebook, in JupyterLab; in the terminal alone: predict NAME=VALUE ...,"
    " measure, check, pack; doctor: what this machine can judge"
)


def add_lab(parser: argparse.ArgumentParser) -> None:
    number = (
        "the lab's number; without one, JupyterLab with the package's notebooks; or bundle: one"
        " archive for a room without a network"
    )
    parser.add_argument("number", nargs="?", default="", metavar="N", help=number)
    parser.add_argument("step", nargs="?", default="", metavar="STEP", help=STEP_HELP)
    parser.add_argument(
        "words", nargs="*", metavar="NAME=VALUE", help="what is predicted; without: what is asked"
    )
    course = "the course's key, as your teacher gave it; kept for the next time"
    parser.add_argument("--course", default="", metavar="KEY", help=course)
    name = "a pseudonym; your teacher knows whose it is; kept for the next time"
    parser.add_argument("--name", dest="pseudonym", default="", metavar="NAME", help=name)


def make_lab(given: argparse.Namespace) -> LabRequest:
    if given.step and given.step not in STEPS:
        raise BadInput(f"{given.step} is no step of a lab: allowed is {', '.join(STEPS)}.")
    if given.words and given.step != PREDICT:
        raise BadInput(f"{given.words[0]}: only predict takes NAME=VALUE.")
    if given.number not in ("", BUNDLE) and not given.number.isdecimal():
        raise BadInput(f"{given.number} is no lab: give its number, or {BUNDLE}.")
    number = int(given.number) if given.number.isdecimal() else None
    bundle, words = given.number == BUNDLE, tuple(given.words)
    return LabRequest(number, given.step, words, given.course, given.pseudonym, bundle)


def add_grade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=resolve_path, metavar="FOLDER", help="holds the packs")
    course = "the course's file: its key and the teacher's secret"
    parser.add_argument(
        "--course", type=resolve_path, required=True, metavar="FILE.yml", help=course
    )
    trust = "run students' code without a sandbox: it can then do all that you can"
    parser.add_argument("--trust", action="store_true", help=trust)
    out = "where the reports go (default: FOLDER/graded)"
    parser.add_argument("--out", type=resolve_path, metavar="DIR", help=out)


def make_grade(given: argparse.Namespace) -> GradeRequest:
    out: Path = given.out or given.folder / "graded"
    return GradeRequest(given.folder, given.course, out, given.trust)
