"""Real measurements of one mechanism under two names, which must not differ."""

import json

from handoff.paths import SWEEPS
from handoff.run.store.run import read_run

from ..conftest import run_all
from .same_twice import halves


def test_a_mechanism_does_not_differ_from_itself(tmp_path):
    result = run_all(SWEEPS / "examples" / "same_twice.yml", "build", "measure", "--data", tmp_path)
    assert result.returncode == 0, result.stderr
    (folder,) = tmp_path.glob("*/plan.json")
    comparisons = halves(read_run(folder.parent))
    print(*comparisons, sep="\n")
    assert len(comparisons) == 4 and all(twice.low <= 1 <= twice.high for twice in comparisons)


TURN = "20s"
MOST_TURNS = 40


def test_two_runs_of_one_jar_do_not_differ(sweep_file, tmp_path):
    entry = "mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE, DISRUPTOR_STRIPED], consumers: 1"
    sweep = sweep_file(f"{entry}, sorts: 4, shots: 3, events: 1000000")
    sides = [tmp_path / "one", tmp_path / "other"]
    # In turns, so that both have the same conditions.
    words = ["--set", "forks.fitting=6", "build", "measure", "--budget", TURN]
    runs = {}
    for turn in range(2 * MOST_TURNS):
        side = sides[turn % 2]
        ended = run_all(sweep, *words, "--data", side)
        assert ended.returncode == 0, ended.stderr
        runs[side] = next(side.glob("*/plan.json")).parent
        if len(runs) == 2 and not any(read_run(run).missing() for run in runs.values()):
            break
    result = run_all("compare", *runs.values(), "--all", "--json")
    print(result.stdout)
    answer = json.loads(result.stdout.splitlines()[-1])
    assert result.returncode == 0 and answer["slower"] == [] and len(answer["points"]) == 3
    assert all(row["judged"] for row in answer["points"])
