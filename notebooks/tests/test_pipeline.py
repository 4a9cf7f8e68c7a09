"""The whole pipeline on this machine, with real JVMs."""

import json
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from handoff.catalog import load_catalog
from handoff.claims.files import load_claim_files
from handoff.run.store.run import read_run
from handoff.study import find_study

from .conftest import run_all

pytestmark = pytest.mark.machine


def only_run(runs):
    (folder,) = [path.parent for path in runs.glob("*/plan.json")]
    return folder


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    """Run one real smoke sweep, in a folder with a space and Cyrillic letters in its name."""
    runs = tmp_path_factory.mktemp("прогоны и данные")
    ended = run_all("smoke", "--data", runs)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended, only_run(runs)


def test_every_point_asked_for_is_measured(smoke):
    points = pd.read_csv(smoke[1] / "tidy" / "points.csv")
    assert (points["found"] == points["asked"]).all() and points["asked"].sum() == len(
        list((smoke[1] / "forks").iterdir())
    )
    shots = pd.concat(
        [pd.read_csv(smoke[1] / "tidy" / f"{study}.csv") for study in points["study"].unique()]
    )
    planned = {point.key: point.shots for point in read_run(smoke[1]).points}
    assert len(shots) == (points["point"].map(planned) * points["asked"]).sum()
    known = shots.drop_duplicates(["point", "fork"])["settled"].notna()
    # Both ways to warm up were measured.
    assert known.any() and not known.all()
    assert sorted(shots["order_index"].unique()) == list(range(points["asked"].sum()))


def test_every_study_has_figures(smoke):
    ended, folder = smoke
    assert str(folder / "generated" / "figures") in ended.stdout
    assert "left" not in ended.stderr
    names = {path.stem for path in (folder / "generated" / "figures").iterdir()}
    assert names >= {f"figure-{n}" for n in range(3, 9)}
    # The heat map of hops needs three CPUs.
    for study in load_catalog().keys() - {"hops"}:
        drawn = [name for name in names if name == study or name.startswith(f"{study}-")]
        assert drawn, study
        assert [name for name in names if name.startswith(f"swept-{study}")], study


def test_a_rehearsal_ends_with_a_paper_that_judges_nothing(smoke):
    ended, folder = smoke
    assert f"Paper:    {folder / 'generated' / 'handoff.pdf'}" in ended.stdout
    assert (folder / "generated" / "handoff.pdf").read_bytes().startswith(b"%PDF")
    table = pd.read_csv(folder / "generated" / "verdicts.csv")
    files = load_claim_files().values()
    assert len(table) == sum(len(file.claims) * len(file.settings) for file in files)
    assert set(table["verdict"]) == {"not measured"}
    made = json.loads((folder / "generated" / "numbers.json").read_text())
    assert made["run"]["verdicts"] is False and made["points"]["found"] == made["points"]["asked"]


def test_executed_notebooks_show_their_figures_and_no_user(smoke):
    executed = sorted((smoke[1] / "generated" / "notebooks").glob("*.ipynb"))
    wanted = {"machine", "measure", "tidy", "sweep", "claims"}
    wanted |= {word for study in load_catalog() for word in find_study(study).list_notebooks()}
    assert {path.stem.partition("_")[2] for path in executed} == wanted
    for path in executed:
        cells = nbformat.read(path, as_version=4).cells
        outputs = [cell.get("outputs", []) for cell in cells]
        assert f"{Path.home()}/" not in json.dumps(outputs)
        assert all(output["output_type"] != "error" for cell in outputs for output in cell)
        for cell in cells:
            if "plt.subplots" in cell.source:
                assert any("image/png" in output.get("data", {}) for output in cell.outputs), path


def test_fork_files_name_no_folder(smoke):
    for path in (smoke[1] / "forks").iterdir():
        assert "/tmp" not in path.read_text() and "tmpdir" not in path.read_text()
