"""Real measurements of one mechanism under two names, which must not differ."""

from handoff.paths import SWEEPS
from handoff.run.store.run import read_run

from ..conftest import run_all
from .same_twice import halves


def test_a_mechanism_does_not_differ_from_itself(tmp_path):
    result = run_all(SWEEPS / "examples" / "same_twice.yml", "build", "measure", "--data", tmp_path)
    assert result.returncode == 0, result.stderr
    (folder,) = tmp_path.glob("*/plan.json")
    comparisons = halves(read_run(folder.parent))
    assert len(comparisons) == 4
    assert all(low <= 1 <= high for low, high in comparisons.values()), comparisons
