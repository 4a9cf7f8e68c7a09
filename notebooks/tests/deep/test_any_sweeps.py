"""Many random small sweeps of each study, as in the ordinary test of a few."""

import pytest

from handoff.catalog import load_catalog
from tests.any_sweep import make_run
from tests.test_any_sweep import SEEDS, make_everything


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("study", load_catalog())
def test_everything_is_made_from_any_small_sweep(study, golden, java, tmp_path):
    for seed in range(SEEDS, 20):
        make_everything(make_run(tmp_path / str(seed) / "run", golden, study, str(seed), java))
