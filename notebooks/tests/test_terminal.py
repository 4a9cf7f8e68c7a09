"""Output on terminals of any width, and in a log file."""

import io
import re

from rich.console import Console

from handoff.cli.progress import Bar
from handoff.run.plan.points import Point, make_label


def draw(widths):
    """Return the output to a terminal that is resized to each of these widths."""
    file = io.StringIO()
    terminal = Console(file=file, force_terminal=True, width=widths[0], height=20)
    with Bar(console=terminal, auto_refresh=False, expand=True) as bar:
        bar.add_task("a task of some length", total=3)
        for width in widths:
            terminal.width = width
            bar.refresh()
        # Read before the end, which clears the line.
        file.seek(0)
        return file.read()


def test_a_narrower_terminal_keeps_no_part_of_the_old_line_and_has_room_for_an_interrupt():
    # At 40 columns, 97 take three rows: go two rows up, and erase everything below.
    assert "\x1b[2A\x1b[J" in draw([100, 40])
    assert "\x1b[J" not in draw([40, 100]) and "\x1b[J" not in draw([60, 60])
    for line in re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", draw([60, 60]))):
        assert len(line) <= 57


def test_a_points_label_starts_with_what_varies_first():
    points = [
        Point(
            study="scaling",
            params={"mechanism": mechanism, "sorts": sorts, "capacity": "64", "wait": "YIELDING"},
            shots=1,
        )
        for mechanism in ("SEQUENTIAL", "DISRUPTOR_STRIPED")
        for sorts in ("1", "4")
    ]
    label = make_label(points)
    assert [label(point) for point in points[1:3]] == [
        "sorts=4 SEQUENTIAL",
        "sorts=1 DISRUPTOR_STRIPED",
    ]
    both = [*points, Point(study="ring", params={"mechanism": "PEKKO"}, shots=1)]
    assert make_label(both)(points[1]) == "sorts=4 SEQUENTIAL scaling"
