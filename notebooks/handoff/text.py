"""Words and numbers in sentences."""


def pluralize(number: int, thing: str) -> str:
    """'1 fork', '2 forks'; numbers of numpy too."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def parse_cpus(listed: str) -> list[int]:
    """The CPUs of a list such as '0-3,8'."""
    ends = [part.split("-") for part in listed.split(",") if part]
    return [cpu for end in ends for cpu in range(int(end[0]), int(end[-1]) + 1)]
