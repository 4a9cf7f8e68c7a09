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
    codes = {}
    for turn in range(2 * MOST_TURNS):
        words = ["--set", "forks.fitting=6", "build", "measure", "--budget", TURN]
        side = sides[turn % 2]
        codes[side] = run_all(sweep, *words, "--data", side).returncode
        if len(codes) == 2 and not any(codes.values()):
            break
    assert not any(codes.values())
    runs = [next(side.glob("*/plan.json")).parent for side in sides]
    result = run_all("compare", *runs, "--all", "--json")
    print(result.stdout)
    answer = json.loads(result.stdout.splitlines()[-1])
    assert result.returncode == 0 and answer["slower"] == [] and len(answer["points"]) == 3
    assert all(row["judged"] for row in answer["points"])
