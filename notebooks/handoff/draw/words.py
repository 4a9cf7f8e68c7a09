"""Words of a figure: its message, what one sees, and the same for readers who cannot see it."""

from typing import NamedTuple


class Words(NamedTuple):
    """Words of one figure, in one place for notebooks, papers, pages and pictures.

    `title` states the message, without a final stop. `caption` says what one sees and what follows
    from it. `alt` replaces the picture for readers who cannot see it. `note` is the footnote:
    forks, marks, warnings, run and trace. `main` says whether it belongs to a paper's main part or
    to its appendix.
    """

    title: str
    caption: str = ""
    alt: str = ""
    note: str = ""
    main: bool = True


def format_brief(number: float) -> str:
    """Return a ratio or level with two digits, such as '4.2', '0.88' or '230'."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 10 else f"{rounded:g}"


def format_times(ratio: float, bounds: tuple[float, float]) -> str:
    """Return '4.2 times', or 'not clearly longer' where the ratio's interval includes 1."""
    if includes_one(bounds):
        return f"not clearly {'longer' if ratio > 1 else 'shorter'}"
    return f"{format_brief(ratio)} times"


def compare_times(ratio: float, bounds: tuple[float, float]) -> str:
    """Return 'takes 4.2 times as long as', or 'does not clearly differ from'."""
    if includes_one(bounds):
        return "does not clearly differ from"
    return f"takes {format_times(ratio, bounds)} as long as"


def includes_one(bounds: tuple[float, float]) -> bool:
    return bounds[0] <= 1 <= bounds[1]


def join_words(parts: list[str]) -> str:
    """Return 'a', 'a and b', or 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def capitalize(words: str) -> str:
    """Return the words with a capital first letter, the others unchanged."""
    return words[:1].upper() + words[1:]
