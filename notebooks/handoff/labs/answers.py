"""Answers as files: what a cell `%%answer NAME` writes, and whether it is of the right form."""

import math
import re
from typing import Any

import yaml

from handoff.errors import BadInput
from handoff.labs.lab import CODE, JAVA, MODEL, NUMBERS, TEXT, Answer
from handoff.labs.modelcheck import MODEL as MODEL_NAME
from handoff.labs.ownclass import NAME
from handoff.labs.work import Work

NUMBER = re.compile(r"[+-]?[0-9.]+[eE][+-]?[0-9]+")
JAVA_NAMES = {JAVA: NAME, MODEL: MODEL_NAME}
FEWEST_SENTENCES, MOST_CHARACTERS = 3, 2000


def parse_numbers(text: str, name: str) -> dict[str, Any]:
    """Numbers and words by key. BadInput, with the line, for what is no YAML."""
    try:
        content = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as wrong:
        raise BadInput(
            f"answer {name}: not readable as YAML: {' '.join(str(wrong).split())}."
        ) from (None)
    if not isinstance(content, dict):
        raise BadInput(f"answer {name}: write one 'key: value' a line.")
    return content


def describe_form(work: Work, answer: Answer) -> str:
    """What is wrong with an answer's form, without a word on whether it is right; '' if nothing."""
    text = work.read_answer(answer)
    if text is None or not text.strip():
        return f"no answer yet: a cell that begins with %%answer {answer.name}"
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
    lacking = [f.name for f in answer.functions if not re.search(rf"\bdef {f.name}\(", text)]
    return f"it defines no function {lacking[0]}" if lacking else ""


def describe_keys(content: dict[str, Any], answer: Answer) -> str:
    lacking = [key for key in answer.keys if content.get(key) is None]
    if lacking:
        return f"{lacking[0]} is missing (where there is none, write the word none)"
    numbers = [k for k, v in content.items() if isinstance(v, str) and NUMBER.fullmatch(v)]
    if numbers:
        return f"{numbers[0]} is text to YAML: write it out, or with a point and a sign, as 1.2e+6"
    strange = [key for key in content if answer.keys and key not in answer.keys]
    if strange:
        return f"{strange[0]} was not asked for; allowed is {', '.join(answer.keys)}"
    endless = [k for k, v in content.items() if isinstance(v, float) and not math.isfinite(v)]
    return f"{endless[0]} is no number" if endless else ""
