"""The same mechanism under two names, measured for real: no difference may be found."""

from handoff.paths import SWEEPS
from handoff.run import store

from ..conftest import run_all
from .same_twice import halves


def test_a_mechanism_does_not_differ_from_itself(tmp_path):
    ended = run_all(SWEEPS / "examples" / "same_twice.yml", "build", "measure", "--data", tmp_path)
    assert ended.returncode == 0, ended.stderr
    (folder,) = tmp_path.glob("*/plan.json")
    found = halves(store.read_run(folder.parent))
    print(*found, sep="\n")
    assert len(found) == 4 and min(twice.p for twice in found) > 0.01
