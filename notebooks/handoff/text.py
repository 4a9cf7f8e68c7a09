"""Words and numbers in sentences."""


def pluralize(number: int, thing: str) -> str:
    """'1 fork', '2 forks'; numbers of numpy too."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
