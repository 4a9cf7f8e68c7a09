"""Output on terminals of any width, and in a log file."""

from handoff.run.plan.points import Point, make_label


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
