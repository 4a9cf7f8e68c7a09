"""What a student hands in: answers as files, the check of their form, and the pack."""

import math
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import yaml

from handoff import archive
from handoff.errors import BadInput
from handoff.labs.bytecode import NAME
from handoff.labs.forks import BORROWED
from handoff.labs.lab import CODE, JAVA, MODEL, NUMBERS, TEXT, Answer
from handoff.labs.lessons.correctness import CLASS
from handoff.labs.measuring import find_shell, read_trials
from handoff.labs.work import ANSWERS, PREDICTION, RUNS, TRIALS, Work
from handoff.paths import display_path
from handoff.run.java.command import locate_classes
from handoff.run.store.provenance import STARTS
from handoff.run.store.run import Run

HOW = {
    CODE: "a cell that starts with %%answer {}",
    NUMBERS: 'lab.answer("{0}", ...), or a cell that starts with %%answer {0}',
    TEXT: 'lab.text("""...""")',
}
"""How a student writes an answer."""

NUMBER = re.compile(r"[+-]?[0-9.]+[eE][+-]?[0-9]+")
JAVA_NAMES = {JAVA: NAME, MODEL: CLASS}
FEWEST_SENTENCES, MOST_CHARACTERS = 3, 2000

MOST_BYTES = 64 * 2**20
"""Largest size of an unpacked pack."""

CLASSES = "classes"
"""Folder of the student's own classes that were measured."""

KEPT = ("machine.json", "run.json", "plan.json", "sweep.yml", "forks", BORROWED, *STARTS)


def register_magic(work: Work) -> None:
    """Register `%%answer NAME`, which writes the cell's text to the answer's file.

    The functions of a code answer are also defined in the notebook.
    """
    shell = find_shell()
    if shell is None:
        return

    def answer(line: str, cell: str) -> None:
        file = work.write_answer(line.strip(), cell)
        if file.suffix == ".py":
            shell.run_cell(cell)
        elif file.suffix == ".yml":
            # A mistake is reported now, not when the answer is graded.
            parse_numbers(cell, line.strip())
        print(f"Written: {display_path(file)}")

    shell.register_magic_function(answer, magic_kind="cell", magic_name="answer")


class PlainLoader(yaml.SafeLoader):
    """Reads YAML without aliases, by which a few lines can stand for billions of values."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases (*name) are not allowed")
        return super().compose_node(parent, index)


def parse_numbers(text: str, name: str) -> dict[str, Any]:
    """Parse an answer of numbers and words; raise BadInput with the line of invalid YAML."""
    try:
        content = yaml.load(text, PlainLoader)
    except (yaml.YAMLError, ValueError) as wrong:
        raise BadInput(
            f"answer {name}: not readable as YAML: {' '.join(str(wrong).split())}."
        ) from None
    if not isinstance(content, dict):
        raise BadInput(f"answer {name}: write one 'key: value' per line.")
    return content


def describe_form(work: Work, answer: Answer) -> str:
    """Return what is wrong with an answer's form, or ''; not whether the answer is correct."""
    text = work.read_answer(answer)
    if text is None or not text.strip():
        return f"no answer yet: {HOW.get(answer.kind, HOW[CODE]).format(answer.name)}"
    if answer.kind == CODE:
        return describe_code(text, answer)
    if answer.kind in JAVA_NAMES:
        name = JAVA_NAMES[answer.kind]
        return "" if f"class {name}" in text else f"it defines no class {name}"
    if answer.kind == NUMBERS:
        try:
            return describe_keys(parse_numbers(text, answer.name), answer)
        except BadInput as wrong:
            return str(wrong)
    assert answer.kind == TEXT
    sentences = len(re.findall(r"[.!?](?:\s|$)", text))
    if sentences < FEWEST_SENTENCES:
        return f"{sentences} of {FEWEST_SENTENCES} sentences"
    return "" if len(text) <= MOST_CHARACTERS else f"longer than {MOST_CHARACTERS} characters"


def describe_code(text: str, answer: Answer) -> str:
    try:
        compile(text, answer.file, "exec")
    except (SyntaxError, ValueError) as wrong:
        return f"Python cannot read it: {wrong}"
    missing = [f.name for f in answer.functions if not re.search(rf"\bdef {f.name}\(", text)]
    return f"it defines no function {missing[0]}" if missing else ""


def describe_keys(content: dict[str, Any], answer: Answer) -> str:
    missing = [key for key in answer.keys if content.get(key) is None]
    if missing:
        return f"missing: {', '.join(missing)} (where a value does not exist, write the word none)"
    wrong = {key: fault for key, value in content.items() if (fault := describe_value(value))}
    if wrong:
        key, fault = next(iter(wrong.items()))
        return f"{key}: {fault}"
    unknown = [key for key in content if answer.keys and key not in answer.keys]
    return f"unknown key {unknown[0]}; choose from {', '.join(answer.keys)}" if unknown else ""


def describe_value(value: object) -> str:
    """Return why a value cannot be an answer, or ''."""
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return "YAML reads it as text: write it out, or with a point and a sign, as 1.2e+6"
    if isinstance(value, float) and not math.isfinite(value):
        return "it is not a finite number"
    return ""


def make_pack(work: Work) -> Path:
    """Write the pack, one archive of prediction, answers and run, into the work's folder."""
    work.require()
    file = work.folder / f"lab{work.lab.number}-{work.pseudonym}{archive.SUFFIX}"
    with tempfile.TemporaryDirectory(prefix="handoff-pack-") as name:
        folder = Path(name)
        shutil.copy(work.folder / PREDICTION, folder / PREDICTION)
        for answer in work.lab.answers:
            if (work.answers / answer.file).is_file():
                (folder / ANSWERS).mkdir(exist_ok=True)
                shutil.copy(work.answers / answer.file, folder / ANSWERS / answer.file)
        if work.lab.trials:
            read_trials(work)
            shutil.copy(work.folder / TRIALS, folder / TRIALS)
        else:
            copy_run(work.find_run(), folder)
        archive.pack_folder(folder, file)
    return file


def copy_run(run: Run, folder: Path) -> None:
    """Copy the run, and the student's classes that it was measured with, into a pack's folder."""
    inside = folder / RUNS / run.folder.name
    inside.mkdir(parents=True)
    for path in (run.folder / name for name in KEPT):
        if path.is_dir():
            shutil.copytree(path, inside / path.name)
        elif path.is_file():
            shutil.copy(path, inside / path.name)
    if run.sweep.jvm.yours:
        classes = locate_classes(run.sweep.jvm.yours)
        if not classes.is_dir():
            # A build of the jar empties their folder.
            raise BadInput("The classes that were measured are gone: measure again.")
        shutil.copytree(classes, folder / CLASSES)
