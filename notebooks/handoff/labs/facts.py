"""The facts of a lab for its teacher: the page of the hour, and the head of the notebook."""

from functools import cache
from textwrap import wrap
from typing import Any

from handoff.draw.words import capitalize
from handoff.files import read_yaml
from handoff.labs.answers import Text
from handoff.labs.lab import Lab
from handoff.paths import LABS
from handoff.text import format_table

FACTS, PAGES = LABS / "facts", LABS / "teacher"
WIDTH = 96
KEYS = {"goals", "prior", "words", "minutes", "questions", "rubric"}


@cache
def load_facts(number: int) -> dict[str, Any]:
    facts = read_yaml(FACTS / f"{number:02}.yml")
    assert set(facts) == KEYS, f"lab {number}: expected the keys {sorted(KEYS)}"
    return dict(facts)


def count_minutes(facts: dict[str, Any]) -> int:
    """Return the minutes of the plan; an entry without a number starts a part."""
    return sum(minutes for minutes, _ in facts["minutes"] if isinstance(minutes, int))


def format_head(lab: Lab) -> str:
    facts = load_facts(lab.number)
    goals = "\n".join(f"- {goal}" for goal in facts["goals"])
    return (
        f"# Lab {lab.number}: {lab.title}\n\n**{lab.question}** About {count_minutes(facts)}"
        f" minutes. After this lab you can:\n\n{goals}\n\nYou need: {facts['prior']} Words that may"
        f" be new are explained in the [glossary](GLOSSARY.md): {', '.join(facts['words'])}."
    )


def format_predict(lab: Lab) -> str:
    """Return the cell in which a student predicts: a line per value, with what is allowed."""
    words = dict.fromkeys(word for asked in lab.predictions for word in asked.words)
    quoted = ", ".join(f'"{word}"' for word in words)
    choices = wrap(f"The words to choose from: {quoted}.", WIDTH) if words else []
    lines = [
        f"    {asked.name}=...,  # {'a word' if asked.words else asked.allowed}"
        for asked in lab.predictions
    ]
    comments = [f"# {line}" for line in ["Replace each ... with your guess.", *choices]]
    return "\n".join([*comments, "lab.predict(", *lines, ")"])


def format_page(lab: Lab) -> str:
    facts = load_facts(lab.number)
    parts = [
        f"# Lab {lab.number} for the teacher: {lab.title}",
        "Made from `labs/facts/`, `labs/wrong/` and the lab's checks by"
        " `python -m handoff.labs.teaching`. Edit those.",
        f"**{lab.question}** {count_minutes(facts)} minutes; checks give {lab.points:g} points.",
        "## Goals",
        "\n".join(f"- {goal}" for goal in facts["goals"]),
        f"**Prior knowledge.** {facts['prior']}",
        "## Plan",
        format_plan(facts),
        "## What students get wrong",
        format_mistakes(lab),
        "## Questions, with answers",
        "\n\n".join(f"**{each['ask']}** {each['answer']}" for each in facts["questions"]),
        "## Points",
        format_points(lab),
        "## Marking the text",
        "\n".join(f"- **{points}**: {words}" for points, words in facts["rubric"].items()),
        "The program collects the texts without names in `graded/texts.md`; their points come"
        " on top, and are yours to add.",
    ]
    return "\n\n".join(parts) + "\n"


def format_plan(facts: dict[str, Any]) -> str:
    """Return the minutes as a table; a part of the lab gets a bold row."""
    rows, clock = [], 0
    for minutes, words in facts["minutes"]:
        if isinstance(minutes, int):
            rows.append((f"{clock} to {clock + minutes}", words))
            clock += minutes
        else:
            rows.append((f"**{minutes}**", f"**{words}**"))
            clock = 0
    return "\n".join(format_table(["minute", "what"], rows))


def format_mistakes(lab: Lab) -> str:
    """Return the wrong solutions, with the parts that each loses."""
    content = read_yaml(LABS / "wrong" / f"{lab.number:02}.yml")
    return "\n".join(
        f"- {capitalize(wrong['wrong'].strip())}."
        + (f" (Loses {', '.join(wrong['loses'])}.)" if wrong.get("loses") else "")
        for wrongs in content.values()
        for wrong in wrongs.values()
    )


def format_points(lab: Lab) -> str:
    rows = [
        (answer.name, answer.question, ", ".join(f"{k} {v:g}" for k, v in answer.parts.items()))
        for answer in lab.answers
        if not isinstance(answer, Text)
    ]
    return "\n".join(format_table(["answer", "what is asked", "points"], rows))
