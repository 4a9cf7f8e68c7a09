"""A sweep says exactly what it means, or is refused with file, key and what is allowed."""

import pytest

from handoff.catalog import YOURS, load_catalog
from handoff.errors import BadInput
from handoff.paths import SWEEPS
from handoff.run import cost
from handoff.run.plan.expansion import expand_points
from handoff.run.plan.points import make_label
from handoff.run.plan.selection import select_sweep
from handoff.run.plan.sweep import load_sweep

from .conftest import on_machine

MINUTE = 60


def expanded(asked):
    return expand_points(asked, "own.yml", 2)


def shipped(profile):
    return load_sweep(SWEEPS / f"{profile}.yml")


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a sweep of these studies, and loads it."""

    def write(studies, top=""):
        path = tmp_path / "own.yml"
        path.write_text(f"about: x\nforks: {{fitting: 1}}\n{top}\nstudies: {studies}\n")
        return load_sweep(path)

    return write


def test_too_few_events_for_a_verdict_are_refused_unless_none_is_wanted(sweep_file):
    entry = "mechanism: ARRAY_BLOCKING_QUEUE, capacity: 8193"
    with pytest.raises(BadInput, match=r"events=81920 is less than 10 x capacity=8193"):
        on_machine(2, load_sweep(sweep_file(entry)))
    assert on_machine(2, load_sweep(sweep_file(entry, top="verdicts: false")))


def test_points_that_differ_only_in_what_a_mechanism_lacks_are_one(sweep_file):
    entry = (
        "mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE, DISRUPTOR_STRIPED], consumers: [1, 2], wait:"
        " [YIELDING, BLOCKING]"
    )
    counted = [p.params["mechanism"] for p in expanded(load_sweep(sweep_file(entry)))]
    assert {name: counted.count(name) for name in counted} == {
        "SEQUENTIAL": 1,
        "ARRAY_BLOCKING_QUEUE": 2,
        "DISRUPTOR_STRIPED": 4,
    }


def test_a_points_label_starts_with_what_varies_first(written):
    entry = "{mechanism: [SEQUENTIAL, DISRUPTOR_STRIPED], sorts: [1, 4], shots: 1}"
    points = expanded(written(f"{{scaling: [{entry}], ring: [{{mechanism: PEKKO, shots: 1}}]}}"))
    label, with_study = make_label(points[:4]), make_label(points)
    labels = ["sorts=1 SEQUENTIAL", "sorts=4 SEQUENTIAL", "sorts=1 DISRUPTOR_STRIPED"]
    assert [label(point) for point in points[:3]] == labels
    assert with_study(points[1]) == "sorts=4 SEQUENTIAL scaling"


@pytest.mark.parametrize(("one", "other"), [("warmup: 1", "warmup: 2"), ("", "oversubscribed: 5")])
def test_one_point_with_two_warm_ups_or_numbers_of_forks_is_refused(written, one, other):
    entries = [f"{{mechanism: SEQUENTIAL, shots: 4, {more}}}" for more in (one, other)]
    asked = written(f"{{scaling: [{', '.join(entries)}]}}")
    refused = "two entries give this point different shots, warmup, warmup_events or oversubscribed"
    with pytest.raises(BadInput, match=refused):
        expanded(asked)


def test_busy_spin_on_shared_cores_needs_the_sweeps_word(sweep_file):
    entry = "mechanism: DISRUPTOR_STRIPED, consumers: 3, wait: BUSY_SPIN"
    asked = load_sweep(sweep_file(entry))
    assert "spin_oversubscribed" in on_machine(2, asked)[0].unavailable
    assert on_machine(4, asked)[0].unavailable is None
    spinning = load_sweep(sweep_file(entry, top="spin_oversubscribed: true"))
    assert on_machine(2, spinning)[0].forks == 1


def test_a_queue_does_not_spin_whatever_the_default(written):
    entry = "{mechanism: [ARRAY_BLOCKING_QUEUE, DISRUPTOR_4], shots: 2, warmup: 1}"
    queue, ring = on_machine(2, written(f"{{latency: [{entry}]}}"))
    assert queue.unavailable is None and queue.forks == 1
    assert "spin_oversubscribed" in ring.unavailable


@pytest.mark.parametrize("profile", ["quick", "full", "paper"])
def test_the_papers_figures_are_asked_for_whole_then_and_today(profile):
    points = on_machine(2, shipped(profile))
    papers = ["ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL"]
    papers += ["DISRUPTOR_STRIPED"] if profile != "quick" else []
    wanted = {(m, str(n), str(s)) for m in papers for n in range(1, 12) for s in (1, 15, 300)}
    wanted |= {("SEQUENTIAL", "1", str(s)) for s in (1, 15, 300)}
    for release, sort in (("3.4.4", "TODAY"), ("3.2.0", "DUAL_PIVOT")):
        setting = [p.params for p in points if p.params.get("sort") == sort]
        rings = [p for p in setting if p["mechanism"].startswith("DISRUPTOR")]
        assert {p["release"] for p in rings} == {release}
        assert {(p["mechanism"], p["consumers"], p["sorts"]) for p in setting} >= wanted
    assert all(p.forks >= 5 for p in points if not p.oversubscribed and not p.unavailable)


def test_paper_has_forty_million_events():
    points = [p for p in expanded(shipped("paper")) if p.study == "scaling"]
    assert {p.params["events"] for p in points} == {"40000000"}


@pytest.mark.parametrize(
    ("profile", "cores", "minutes"), [("quick", 2, 8), ("quick", 12, 40), ("full", 2, 48)]
)
def test_a_profile_is_planned_for_as_long_as_promised(profile, cores, minutes):
    points = on_machine(cores, shipped(profile))
    assert expect_seconds(points) <= minutes * MINUTE


@pytest.mark.parametrize("profile", ["quick", "paper", "load", "sensitivity"])
def test_at_most_a_hundredth_of_the_events_is_drained_after_the_last(profile):
    points = on_machine(12, shipped(profile))
    shares = [
        int(p.params["capacity"]) / int(p.params["events"])
        for p in points
        if p.study == "scaling"
        and p.params["mechanism"] != "SEQUENTIAL"
        and p.params["capacity"] != "65536"
    ]
    assert max(shares) <= 0.01


def test_what_a_sweep_extends_keeps_its_entries_or_is_named(written, tmp_path):
    asked = written("{scaling: null, hops: [{shots: 1}]}", top="extends: quick")
    scaling = [study for study, _ in asked.entries() if study == "scaling"]
    assert len(scaling) == len([s for s, _ in shipped("quick").entries() if s == "scaling"])
    (tmp_path / "base.yml").write_text("about: x\nforks: {fitting: 1}\n")
    with pytest.raises(BadInput, match=r"base\.yml: studies: is missing"):
        written("{hops: [{shots: 1}]}", top=f"extends: {tmp_path / 'base.yml'}")


def test_a_point_whose_memory_one_entry_names_and_another_leaves_open_is_one(written):
    entry = "mechanism: ARRAY_BLOCKING_QUEUE, shots: 1"
    asked = written(f"{{scaling: [{{{entry}}}, {{{entry}, memory: FIRST_TOUCH}}]}}")
    assert len(expand_points(asked, "own.yml", 2, unplaced=True)) == 1


def test_smoke_is_short_and_holds_every_mechanism():
    points = on_machine(2, shipped("smoke"))
    assert expect_seconds(points) <= 3 * MINUTE
    assert {(p.study, p.params["mechanism"]) for p in points} == {
        (s, m) for s, study in load_catalog().items() for m in study.mechanisms if m != YOURS
    }
    assert {int(p.params["consumers"]) for p in points if p.study == "scaling"} == {1, 5, 11}
    topologies = {p.params["topology"] for p in points if p.study == "topologies"}
    assert topologies == {"UNICAST", "PIPELINE", "SEQUENCER", "MULTICAST", "DIAMOND"}


def test_a_class_of_ones_own_needs_its_file(sweep_file):
    asked = load_sweep(sweep_file("mechanism: YOURS"))
    with pytest.raises(BadInput, match=r"YOURS is a class of your own: .*--class"):
        on_machine(4, asked)
    words = load_sweep(sweep_file("mechanism: ALL"))
    assert "YOURS" not in {point.params["mechanism"] for point in on_machine(4, words)}


def test_a_value_that_no_such_machine_has_is_named(written):
    asked = written("{scaling: [{consumers: CORES-99, shots: 1}]}")
    with pytest.raises(BadInput, match="because consumers=CORES-99 is not possible on 4 cores"):
        expand_points(asked, "my.yml", cores=4)


def expect_seconds(points):
    return sum(cost.CostModel().fork_seconds(point) * point.forks for point in points)


def test_short_warm_up_shots_cost_less_and_leave_the_point_the_same(written):
    entry = "mechanism: SEQUENTIAL, events: 80000, shots: 2"
    (whole,) = expanded(written(f"{{scaling: [{{{entry}}}]}}"))
    (short,) = expanded(written(f"{{scaling: [{{{entry}, warmup_events: 8000}}]}}"))
    assert (whole.warmup_events, short.warmup_events) == (0, 8000)
    assert short.key == whole.key
    assert (cost.count_shots(whole), cost.count_shots(short)) == (10, 3.6)


@pytest.mark.parametrize(
    ("studies", "refused"),
    [
        (
            "{scaling: [{events: 80000, shots: 2, warmup_events: 80001}]}",
            r"^my.yml: scaling .*: warmup_events=80001 is more than events=80000; use fewer",
        ),
        (
            "{latency: [{shots: 2, warmup_events: 9}]}",
            r"^my.yml: studies.latency: warmup_events: latency has whole shots .* remove the key",
        ),
    ],
)
def test_a_warm_up_that_the_jar_cannot_shorten_is_refused(written, studies, refused):
    with pytest.raises(BadInput, match=refused):
        expand_points(written(studies), "my.yml", cores=4)


def test_a_parameter_that_no_mechanism_of_an_entry_has_is_refused(written, tmp_path):
    queue = {"mechanism": "ARRAY_BLOCKING_QUEUE", "shots": 2, "wait": "BLOCKING"}
    whole = {"mechanism": "ALL", "shots": 2, "wait": "BLOCKING"}
    refused = (
        r"own.yml: studies.scaling.1.wait: no mechanism of this entry \(ARRAY_BLOCKING_QUEUE\)"
    )
    written({"scaling": [whole, queue]})
    with pytest.raises(BadInput, match=refused):
        select_sweep(str(tmp_path / "own.yml"), [], [])
    written({"scaling": [queue | {"include": [{"mechanism": "DISRUPTOR_STRIPED"}]}]})
    assert select_sweep(str(tmp_path / "own.yml"), [], [])
    # What --only leaves of an entry may have less than the whole.
    written({"scaling": [queue | {"mechanism": ["SEQUENTIAL", "DISRUPTOR_STRIPED"]}]})
    assert select_sweep(str(tmp_path / "own.yml"), ["mechanism=SEQUENTIAL"], [])
