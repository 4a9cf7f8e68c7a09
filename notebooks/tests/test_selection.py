"""Custom sweeps: what they say, and what the command line and the cores make of them."""

import contextlib
import json
import re

import jsonschema
import pytest
import yaml

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.paths import DATA, SWEEPS
from handoff.run.plan import selection, sweep
from handoff.run.plan.expansion import expand_points
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import Sweep, load_sweep, validate_sweep

from .conftest import on_machine

SHIPPED = sorted(SWEEPS.rglob("*.yml"))
SCHEMA = json.loads((DATA / "sweep.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

each_shipped = pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)


def params(asked, *names):
    return [
        tuple(point.params[name] for name in names) for point in expand_points(asked, "own.yml", 2)
    ]


INCLUDED = [
    *(("1", "8192", "NEW"), ("2", "8192", "NEW")),
    *((n, capacity, "NEW") for n in "12" for capacity in ("16", "32")),
    ("3", "8192", "REUSED"),
]


@pytest.mark.parametrize(
    ("entry", "names", "expected"),
    [
        ("consumers: 2..4, sorts: 1", ["consumers", "sorts"], [(n, "1") for n in "234"]),
        (
            "consumers: [1, 2], include: [{capacity: [16, 32]}, {consumers: 3, element: REUSED}]",
            ["consumers", "capacity", "element"],
            INCLUDED,
        ),
        (
            "consumers: 1..3, sorts: [1, 15],"
            " exclude: [{consumers: 2..3, sorts: 15}, {consumers: 2}]",
            ["consumers", "sorts"],
            [("1", "1"), ("1", "15"), ("3", "1")],
        ),
    ],
    ids=["a range and a single value", "include", "exclude"],
)
def test_an_entry_stands_for_its_points(sweep_file, entry, names, expected):
    asked = load_sweep(sweep_file(f"mechanism: ARRAY_BLOCKING_QUEUE, {entry}"))
    assert params(asked, *names) == expected


def test_only_keeps_and_set_changes():
    asked = selection.select_sweep(
        "quick",
        ["scaling", "consumers=1..2", "sorts=1,300", "placement=PAPER", "sort=TODAY"],
        ["mechanism=ARRAY_BLOCKING_QUEUE"],
    )
    assert sorted(params(asked.sweep, "mechanism", "consumers", "sorts")) == [
        ("ARRAY_BLOCKING_QUEUE", n, s) for n in "12" for s in ("1", "300")
    ]
    words = "--only scaling --only consumers=1..2 --only sorts=1,300 --only placement=PAPER"
    source = f"quick.yml with {words} --only sort=TODAY --set mechanism=ARRAY_BLOCKING_QUEUE"
    assert asked.profile == "quick" and asked.source.endswith(source)


def plan_points(asked):
    """Return the points with the number of cores; none where the machine has too few cores."""
    points = []
    for cores in (1, 2, 12):
        with contextlib.suppress(BadInput):
            points += [(cores, point) for point in expand_points(asked, "own.yml", cores)]
    # Another entry may give the same point by a number instead of a word such as CORES.
    return {
        (cores, point.key): point.model_copy(update={"of_cores": False}) for cores, point in points
    }


@each_shipped
def test_only_keeps_the_points_of_a_study_or_a_value_as_they_are(path):
    whole = load_sweep(path)
    points = plan_points(whole)
    for study in dict.fromkeys(study for study, _ in whole.entries()):
        kept = plan_points(selection.select_sweep(str(path), [study], []).sweep)
        assert kept == {key: point for key, point in points.items() if point.study == study}
    products = [product for _, entry in whole.entries() for product in entry.products()]
    for name, value in {(n, v) for product in products for n in product for v in product[n]}:
        chosen = selection.select_sweep(str(path), [f"{name}={value}"], []).sweep
        assert plan_points(chosen).items() <= points.items(), (name, value)


def test_only_knows_the_standard_values_of_what_an_entry_does_not_name():
    whole, kept = (
        selection.select_sweep("smoke", ["scaling", *only], []).sweep
        for only in ([], ["wait=YIELDING"])
    )
    names = ("mechanism", "consumers", "sorts")
    assert params(whole, *names) == params(kept, *names)


def test_set_reaches_the_sweeps_own_keys():
    asked = selection.select_sweep(
        "quick",
        ["scaling"],
        ["forks.fitting=3", "jvm.heap=2g", "shots=9", "capacity=1024,2048", "verdicts=false"],
    ).sweep
    assert (asked.forks.fitting, asked.jvm.heap, asked.verdicts) == (3, "2g", False)
    assert {entry.shots for _, entry in asked.entries()} == {9}
    assert {c for (c,) in params(asked, "capacity")} == {"1024", "2048", "8192"}


def test_the_chosen_sweep_is_kept_as_a_file_that_says_the_same(tmp_path):
    asked = selection.select_sweep("sensitivity", ["consumers=1"], ["seed=3"])
    (tmp_path / "kept.yml").write_text(asked.text)
    assert load_sweep(tmp_path / "kept.yml") == asked.sweep
    assert asked.text.startswith("# data/sweeps/sensitivity.yml with --only")
    text = (SWEEPS / "sensitivity.yml").read_text()
    assert selection.select_sweep("sensitivity", [], []).text == text


def test_the_schema_for_editors_is_what_the_models_say():
    assert sweep.build_sweep_model().model_json_schema() == SCHEMA
    VALIDATOR.check_schema(SCHEMA)


@each_shipped
def test_every_shipped_sweep_satisfies_the_schema_that_it_names(path):
    VALIDATOR.validate(yaml.safe_load(path.read_text()))
    (named,) = re.findall(r"yaml-language-server.*=(.*)", path.read_text())
    assert (path.parent / named).resolve() == DATA / "sweep.schema.json"


@pytest.mark.parametrize(
    "wrong", ["mechanizm: X", "consumers: 99", "shots: no", "exclude: [{consumer: 1}]"]
)
def test_the_schema_refuses_what_the_models_refuse(sweep_file, wrong):
    content = yaml.safe_load(sweep_file(wrong).read_text())
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(content)


@pytest.mark.parametrize(
    "path", [path for path in SHIPPED if path.parent.name == "examples"], ids=lambda path: path.stem
)
def test_the_worked_examples_plan_on_small_and_large_machines(path):
    for cores in (2, 12):
        assert on_machine(cores, load_sweep(path))


def test_a_set_mechanism_reaches_the_studies_that_know_it():
    chosen = selection.select_sweep("full", [], ["mechanism=DISRUPTOR_4,CAS"]).sweep
    by_study = {}
    for study, entry in chosen.entries():
        by_study.setdefault(study, set()).update(entry.mechanism)
    assert by_study["counters"] == {"CAS"} and by_study["topologies"] == {"DISRUPTOR_4"}
    assert "SEQUENTIAL" in by_study["scaling"]
    assert list(by_study) == [study for study in load_catalog() if study in by_study]


def make_sweep(*entries: dict, study: str = "executors", forks: int = 1) -> Sweep:
    """Return a sweep of one study with these entries, of one shot each."""
    listed = [{"shots": 1, "warmup": 0} | entry for entry in entries]
    content = {"about": "x", "verdicts": False, "forks": {"fitting": forks}}
    return validate_sweep(content | {"studies": {study: listed}}, "own.yml")


def expand(cores: int, *entries: dict, **more) -> list[Point]:
    return expand_points(make_sweep(*entries, **more), "own.yml", cores)


AROUND = {"threads": "CORES-2..CORES+1"}
TWICE = {"mechanism": "SHARED_POOL", "threads": [1, "CORES", "TWICE_CORES"]}


@pytest.mark.parametrize(
    ("cores", "study", "entry", "threads"),
    [
        (8, "executors", AROUND, [6, 7, 8, 9]),
        (2, "executors", AROUND, [1, 2, 3]),
        (8, "executors", AROUND | {"exclude": [{"threads": "CORES-1"}]}, [6, 8, 9]),
        (4, "executors", {"threads": [1, "2..4", "CORES", "CORES+1"]}, [1, 2, 3, 4, 5]),
        (6, "ring", TWICE, [1, 6, 12]),
    ],
)
def test_words_in_lists_and_ranges_stand_for_this_machines_cores(cores, study, entry, threads):
    points = expand(cores, entry, study=study)
    assert [int(point.params["threads"]) for point in points] == threads


@pytest.mark.parametrize("word", ["CORES*2", "CORES-0", "CORES+100", "1..TWICE_CORES"])
def test_an_unknown_word_is_refused(word):
    with pytest.raises(BadInput, match="threads"):
        make_sweep({"mechanism": "SHARED_POOL", "threads": word}, study="ring")


def test_an_entry_without_points_on_this_machine_is_skipped():
    points = expand(2, {"threads": "CORES-2"}, {"threads": 1, "mechanism": "PEKKO"})
    assert [point.params["mechanism"] for point in points] == ["PEKKO"]


POOL = {"mechanism": "SHARED_POOL", "threads": [1, 4]}
TASKS = {"mechanism": "PI_TASKS", "threads": 2, "oversubscribed": 0}


@pytest.mark.parametrize(
    ("cores", "entries", "forks"),
    [
        (2, [POOL | {"oversubscribed": 5}, TASKS], [7, 5, 7]),
        (1, [POOL | {"oversubscribed": 5}, TASKS], [7, 5, 0]),
        (1, [POOL], [7, 1]),
    ],
)
def test_an_entry_may_set_the_forks_of_its_oversubscribed_points(cores, entries, forks):
    sweep = make_sweep(*entries, study="ring", forks=7)
    assert [point.forks for point in on_machine(cores, sweep)] == forks
