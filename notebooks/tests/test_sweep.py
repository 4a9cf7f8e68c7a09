"""A sweep says exactly what it means, or is refused with file, key and what is allowed."""

import pytest

from handoff.catalog import YOURS, load_catalog
from handoff.errors import BadInput
from handoff.paths import SWEEPS
from handoff.run import cost
from handoff.run.plan import sweepfile
from handoff.run.plan.expansion import expand_points

from .conftest import on_machine

MINUTE = 60


def expanded(asked):
    return expand_points(asked, "own.yml", 2)


def loaded(path):
    return sweepfile.load_sweep(path)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("consumers: 0", ["consumers.0", "must be 1 or more", "0"]),
        ("consumers: two", ["consumers.0", "must be a whole number", "'two'"]),
        ("consumers: 12", ["consumers.0", "must be 11 or less"]),
        ("consumers: []", ["consumers", "needs at least one value"]),
        ("consumers: 1..99999999", ["consumers", "has more than 10,000 values"]),
        ("consumers: 5..1", ["consumers", "5..1 counts down; write 1..5"]),
        ("events: -5", ["events.0", "must be 1 or more"]),
        ("mechanism: PIGEON", ["mechanism.0", "SEQUENTIAL, ARRAY_BLOCKING_QUEUE", "PIGEON"]),
        (
            "mechanizm: SEQUENTIAL",
            [
                "mechanizm",
                (
                    "unknown key; choose from shots, warmup, oversubscribed, include, exclude,"
                    " mechanism"
                ),
            ],
        ),
        ("sorts: 1.5", ["sorts.0", "must be a whole number"]),
        ("capacity: true", ["capacity.0", "must be a whole number"]),
        ("warmup: 2", ["at least one shot"]),
    ],
)
def test_a_wrong_entry_is_one_sentence_with_file_key_and_what_is_allowed(
    sweep_file, entry, expected
):
    with pytest.raises(BadInput) as refusal:
        loaded(sweep_file(entry))
    sentence = str(refusal.value)
    assert "\n" not in sentence and "own.yml: studies.scaling.0" in sentence
    assert all(part in sentence for part in expected), sentence


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        ("fork: 3", "fork: unknown key; choose from about, extends"),
        ("jvm: {heap: lots}", "jvm.heap"),
        ("jvm: {heap: 1m}", "jvm.heap"),
        ("jvm: {hep: 1g}", "jvm.hep: unknown key; choose from heap, simd_sort"),
        ("seed: yes", "seed"),
        ("about: [", "not readable as YAML"),
    ],
)
def test_a_wrong_top_level_key_is_named(sweep_file, top, expected):
    with pytest.raises(BadInput, match=r"own\.yml") as refusal:
        loaded(sweep_file(top=top))
    assert expected in str(refusal.value)


def test_an_unknown_study_is_named(tmp_path):
    path = tmp_path / "own.yml"
    path.write_text("about: x\nforks: {fitting: 1}\nstudies: {scalling: [{}]}\n")
    with pytest.raises(BadInput, match=r"studies\.scalling: unknown key; choose from scaling"):
        loaded(path)


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "own.yml").write_text("")
    with pytest.raises(BadInput, match="the whole file"):
        loaded(tmp_path / "own.yml")


def test_too_few_events_for_a_verdict_are_refused_unless_none_is_wanted(sweep_file):
    entry = "mechanism: ARRAY_BLOCKING_QUEUE, capacity: 8193"
    with pytest.raises(BadInput, match=r"events=81920 is less than 10 x capacity=8193"):
        on_machine(2, loaded(sweep_file(entry)))
    assert on_machine(2, loaded(sweep_file(entry, top="verdicts: false")))


def test_ranges_and_single_values_are_lists(sweep_file):
    points = expanded(
        loaded(sweep_file("mechanism: ARRAY_BLOCKING_QUEUE, consumers: 2..4, sorts: [1, 15]"))
    )
    assert [(p.params["consumers"], p.params["sorts"]) for p in points] == [
        (n, s) for n in "234" for s in ("1", "15")
    ]


def test_points_that_differ_only_in_what_a_mechanism_lacks_are_one(sweep_file):
    entry = (
        "mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE, DISRUPTOR_STRIPED], consumers: [1, 2], wait:"
        " [YIELDING, BLOCKING]"
    )
    counted = [p.params["mechanism"] for p in expanded(loaded(sweep_file(entry)))]
    assert {name: counted.count(name) for name in counted} == {
        "SEQUENTIAL": 1,
        "ARRAY_BLOCKING_QUEUE": 2,
        "DISRUPTOR_STRIPED": 4,
    }


def test_one_point_with_two_warm_ups_is_refused(tmp_path):
    entry = "{mechanism: SEQUENTIAL, shots: 4, warmup: %d}"
    (tmp_path / "own.yml").write_text(
        f"about: x\nforks: {{fitting: 1}}\nstudies:\n  scaling:\n    - {entry % 1}\n    -"
        f" {entry % 2}\n"
    )
    with pytest.raises(
        BadInput,
        match="two entries give this point different shots, warmup or oversubscribed",
    ):
        expanded(loaded(tmp_path / "own.yml"))


@pytest.mark.parametrize("studied", ["{}", "{scaling: []}"])
def test_a_sweep_of_nothing_is_refused(tmp_path, studied):
    (tmp_path / "own.yml").write_text(f"about: x\nforks: {{fitting: 1}}\nstudies: {studied}\n")
    with pytest.raises(BadInput, match=r"at least one value|name at least one study"):
        loaded(tmp_path / "own.yml")


def test_busy_spin_on_shared_cores_needs_the_sweeps_word(sweep_file):
    entry = "mechanism: DISRUPTOR_STRIPED, consumers: 3, wait: BUSY_SPIN"
    assert "spin_oversubscribed" in on_machine(2, loaded(sweep_file(entry)))[0].unavailable
    assert on_machine(4, loaded(sweep_file(entry)))[0].unavailable is None
    assert on_machine(2, loaded(sweep_file(entry, top="spin_oversubscribed: true")))[0].forks == 1


def test_a_queue_does_not_spin_whatever_the_default(tmp_path):
    entry = "{mechanism: [ARRAY_BLOCKING_QUEUE, DISRUPTOR_4], shots: 2, warmup: 1}"
    (tmp_path / "own.yml").write_text(
        f"about: x\nforks: {{fitting: 1}}\nstudies:\n  latency:\n    - {entry}\n"
    )
    queue, ring = on_machine(2, loaded(tmp_path / "own.yml"))
    assert (
        queue.unavailable is None and queue.forks == 1 and "spin_oversubscribed" in ring.unavailable
    )


def test_wrong_on_any_machine_stops_impossible_here_is_left_out(sweep_file):
    from handoff.run.plan.expansion import settle_points

    asked = loaded(sweep_file("mechanism: DISRUPTOR_STRIPED"))
    points = expanded(asked)
    with pytest.raises(BadInput, match="a power of two"):
        settle_points(asked, points, [{"mistake": "a power of two"}], "own.yml")
    (left_out,) = settle_points(asked, points, [{"unavailable": "one node only"}], "own.yml")
    assert (left_out.forks, left_out.unavailable) == (0, "one node only")


@pytest.mark.parametrize(
    "profile",
    [
        "smoke",
        "quick",
        "paper",
        "load",
        "sensitivity",
        "warmup",
        "latency",
        "ring",
        "actors",
        "contenders",
    ],
)
def test_every_shipped_sweep_loads_and_fits_every_machine(profile):
    for cores in (1, 2, 6, 12):
        assert on_machine(cores, loaded(SWEEPS / f"{profile}.yml"))


@pytest.mark.parametrize("profile", ["quick", "paper"])
def test_the_papers_figures_are_asked_for_whole(profile):
    points = on_machine(2, loaded(SWEEPS / f"{profile}.yml"))
    papers = ["ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"]
    wanted = {(m, str(n), str(s)) for m in papers for n in range(1, 12) for s in (1, 15, 300)}
    wanted |= {("SEQUENTIAL", "1", str(s)) for s in (1, 15, 300)}
    assert {
        (p.params["mechanism"], p.params["consumers"], p.params["sorts"])
        for p in points
        if p.study == "scaling"
    } >= wanted
    assert all(p.forks >= 5 for p in points if not p.oversubscribed and not p.unavailable)


def test_paper_has_forty_million_events():
    assert {
        p.params["events"] for p in expanded(loaded(SWEEPS / "paper.yml")) if p.study == "scaling"
    } == {"40000000"}


@pytest.mark.parametrize(
    ("profile", "cores", "minutes"), [("quick", 2, 8), ("quick", 12, 40), ("full", 2, 48)]
)
def test_a_profile_is_planned_for_as_long_as_promised(profile, cores, minutes):
    points = on_machine(cores, loaded(SWEEPS / f"{profile}.yml"))
    assert cost.CostModel().total_seconds(points) <= minutes * MINUTE


def test_full_has_every_point_of_quick_with_the_same_shots():
    quick, full = (
        {p.key: (p.shots, p.forks) for p in on_machine(12, loaded(SWEEPS / f"{profile}.yml"))}
        for profile in ("quick", "full")
    )
    assert quick.items() <= full.items()


@pytest.mark.parametrize("profile", ["quick", "paper", "load", "sensitivity"])
def test_at_most_a_hundredth_of_the_events_is_drained_after_the_last(profile):
    points = on_machine(12, loaded(SWEEPS / f"{profile}.yml"))
    shares = [
        int(p.params["capacity"]) / int(p.params["events"])
        for p in points
        if p.study == "scaling"
        and p.params["mechanism"] != "SEQUENTIAL"
        and p.params["capacity"] != "65536"
    ]
    assert max(shares) <= 0.01


def test_a_sweep_that_extends_an_extending_one_is_refused(tmp_path):
    path = tmp_path / "own.yml"
    path.write_text("about: x\nextends: full\nforks: {fitting: 1}\nstudies: {hops: [{shots: 1}]}\n")
    with pytest.raises(BadInput, match="extends: quick is what to extend"):
        loaded(path)


@pytest.mark.parametrize("profile", ["full", "paper"])
def test_what_a_claim_asks_for_is_measured_on_a_large_machine(profile):
    """Every claim that can be tested at all has its points in the sweep."""
    points = on_machine(16, loaded(SWEEPS / f"{profile}.yml"))
    unicast = {
        (p.params["mechanism"], p.params["accounting"])
        for p in points
        if p.params.get("topology") == "UNICAST" and p.forks >= 5
    }
    assert unicast >= {
        ("ARRAY_BLOCKING_QUEUE", "AS_PUBLISHED"),
        ("ARRAY_BLOCKING_QUEUE", "FAIR"),
        ("DISRUPTOR_4", "AS_PUBLISHED"),
    }
    gaps = {
        p.params["gap"]
        for p in points
        if p.params.get("pacing") == "SCHEDULE" and p.params["stages"] == "3" and p.forks >= 5
    }
    assert gaps >= {"10000", "5000", "2000", "1000", "500"}


def test_smoke_is_short_and_holds_every_mechanism():
    points = on_machine(2, loaded(SWEEPS / "smoke.yml"))
    assert cost.CostModel().total_seconds(points) <= 3 * MINUTE
    assert {(p.study, p.params["mechanism"]) for p in points} == {
        (s, m) for s, study in load_catalog().items() for m in study.mechanisms if m != YOURS
    }
    assert {int(p.params["consumers"]) for p in points if p.study == "scaling"} == {1, 5, 11}
    assert {p.params["topology"] for p in points if p.study == "topologies"} == {
        "UNICAST",
        "PIPELINE",
        "SEQUENCER",
        "MULTICAST",
        "DIAMOND",
    }


def test_a_class_of_ones_own_needs_its_file(sweep_file):
    asked = loaded(sweep_file("mechanism: YOURS"))
    with pytest.raises(BadInput, match=r"YOURS is a class of your own: .*--class"):
        on_machine(4, asked)
    words = loaded(sweep_file("mechanism: ALL"))
    assert "YOURS" not in {point.params["mechanism"] for point in on_machine(4, words)}


def test_a_value_that_no_such_machine_has_is_named():
    content = {
        "about": "a test",
        "forks": {"fitting": 1},
        "studies": {"scaling": [{"consumers": "CORES-99", "shots": 1}]},
    }
    sweep = sweepfile.validate_sweep(content, "my.yml")
    with pytest.raises(BadInput, match="because consumers=CORES-99 is not possible on 4 cores"):
        expand_points(sweep, "my.yml", cores=4)
