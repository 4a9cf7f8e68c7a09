"""Every study declares what other modules need; one known only to the jar has defaults."""

import pandas as pd
import pytest

from handoff.catalog import load_catalog
from handoff.paths import STUDY_ROOMS
from handoff.study import DEFAULT_NS_PER_EVENT, Cost, Study, find_primary, find_study, load_studies


def test_every_study_of_the_jar_has_a_room_and_every_room_a_study():
    rooms = {path.parent.name for path in STUDY_ROOMS.glob("*/__init__.py")}
    assert rooms == set(load_catalog()) == set(load_studies())
    orders = [study.order for study in load_studies().values()]
    assert orders == sorted(set(orders)) and find_primary().primary


@pytest.fixture(params=load_catalog())
def study(request) -> Study:
    return find_study(request.param)


def test_it_names_only_existing_parameters_and_estimates_the_cost_of_an_event(study):
    spec = load_catalog()[study.name]
    assert study.title and set(study.location) <= set(spec.defaults())
    assert set(study.same_work) <= set(spec.defaults())
    assert not study.axis or study.axis in study.location
    assert not study.sequential or study.sequential in spec.mechanisms
    for mechanism in spec.mechanisms:
        params = spec.defaults() | {"mechanism": mechanism}
        assert 0 < study.ns_per_event(Cost(params, threads=2, cores=2)) < 1e6
    assert study.list_sentences(pd.DataFrame()) == []


def test_a_study_known_only_to_the_jar_has_defaults():
    unknown = find_study("nosuch")
    assert unknown.list_notebooks() == ("nosuch",) and unknown.location == ()
    assert unknown.ns_per_event(Cost({}, 2, 2)) == DEFAULT_NS_PER_EVENT
    assert unknown.list_sentences(pd.DataFrame({"fork": [1]})) == []
