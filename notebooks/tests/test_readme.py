"""Pages that are generated are those of the shipped runs, and README says what is true."""

import re
import shutil
from pathlib import Path

import pytest

from handoff.catalog import load_catalog
from handoff.cli.main import parse
from handoff.paths import DATA, DOCS, ROOT, RUNS, SHIPPED, SWEEPS, TRACES
from handoff.report import machines, verdict_page
from handoff.run.plan.expansion import expand_points
from handoff.run.plan.settings import Arm, Forks, Jvm, Quiet
from handoff.run.plan.sweep import Entry, Sweep, load_sweep
from handoff.run.store.run import read_run
from handoff.tables import trace


def test_pages_pictures_and_results_are_those_of_the_shipped_runs(tmp_path, monkeypatch):
    # Judged from copies, because other tests read the shipped runs at the same time.
    (tmp_path / "runs").mkdir()
    for run in [*RUNS.glob("reference*.zip"), *RUNS.glob("machine-*.zip")]:
        shutil.copy(run, tmp_path / "runs")
    for module in (verdict_page, machines):
        monkeypatch.setattr(module, "RUNS", tmp_path / "runs")
        monkeypatch.setattr(module, "PAGE", tmp_path / module.PAGE.name)
    monkeypatch.setattr(verdict_page, "PICTURES", tmp_path / "pictures")
    monkeypatch.setattr(verdict_page, "README", tmp_path / "README.md")
    shutil.copy(ROOT / "README.md", tmp_path)
    for path in verdict_page.write_page():
        places = [folder / path.name for folder in (DOCS / "pictures", DOCS, ROOT)]
        (shipped,) = filter(Path.is_file, places)
        assert path.read_bytes() == shipped.read_bytes(), "out of date; run ./run_all.sh verdicts"


def test_readme_has_five_results_in_both_settings_and_no_word_of_the_judging():
    text = (ROOT / "README.md").read_text()
    assert len(re.findall(r"^\| P\d+ \| ", text, re.MULTILINE)) == 5
    assert "| then | today |" in text and "reading" not in text.lower()


PAGES = [*ROOT.glob("*.md"), *DATA.glob("*.md"), *DOCS.glob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_exists(page):
    links = re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", page.read_text())
    assert [f"{file}#{part}" for file, part in links if not has_part(page, file, part)] == []


def has_part(page: Path, file: str, part: str) -> bool:
    """Return whether a link leads to a file and, if it names a part, to a heading in it."""
    target = page.parent / file if file else page
    if not part:
        return target.exists()
    heads = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
    return part in {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", ["README.md", "docs/evaluation.md"])
def test_the_commands_of_a_page_exist(page):
    calls = re.findall(r"\./run_all\.sh((?: [^`#\n]+)?)", (ROOT / page).read_text())
    profiles = {path.stem for path in SWEEPS.glob("*.yml")} | {SHIPPED, None}
    assert len(calls) > 5
    for words in {call.strip() for call in calls} - {"--help"}:
        _, given = parse(words.split())
        target = getattr(given, "target", None)
        assert target in profiles or target == "my.yml" or (ROOT / target).is_file(), words


def test_a_strangers_words_are_plain_text_on_the_page_of_machines():
    hostile = "AMD | <script>alert(1)</script> [x](javascript:0)\n# head `x` " + "A" * 200
    cleaned = machines.clean(hostile)
    assert not set(cleaned) & set("|<>[]`#\n*!") and len(cleaned) <= 80
    links = "Xeon(R) @ 2.60GHz https://evil.example/x WWW.evil.example @user a@b.example"
    cleaned = machines.clean(links)
    assert cleaned.startswith("Xeon(R) @ 2.60GHz ")
    assert not any(link in cleaned.lower() for link in ("://", "/x", "www.", "@user", "@b"))


def test_machines_are_rows_of_their_own_and_are_not_pooled(synthetic_run, tmp_path):
    runs = [
        read_run(shutil.copytree(synthetic_run(behaviour).folder, tmp_path / name))
        for name, behaviour in (("reference", "paper"), ("machine-b", "mirror"))
    ]
    table = machines.describe_verdicts(runs)
    first, second = (
        next(line for line in table if line.startswith(f"| {name}"))
        for name in ("reference", "machine-b")
    )
    assert first.count("●") > second.count("●") and "✖" in second


def test_the_ids_below_readmes_pictures_lead_to_forks_in_a_fresh_clone(tmp_path, monkeypatch):
    monkeypatch.setattr(trace, "GENERATED", tmp_path)
    shipped = {path.stem for path in TRACES.iterdir()}
    records = [trace.find_trace(identity, tmp_path) for identity in shipped]
    folders = {record["what"]: record["folder"] for record in records}
    away = folders.pop("ladder, decisions taken away")
    assert set(folders) == set(verdict_page.SHOWN) and set(folders.values()) == {"reference"}
    assert away == "reference-decisions" and all(record["forks"] for record in records)


SECTIONS = re.split(r"^## ", (DATA / "README.md").read_text(), flags=re.MULTILINE)
(ABOUT_SWEEPS,) = (text for text in SECTIONS if text.startswith("A sweep\n"))
(ABOUT_PARAMETERS,) = (text for text in SECTIONS if text.startswith("Parameters\n"))


def test_the_example_of_a_sweep_is_one(tmp_path):
    (tmp_path / "my.yml").write_text(re.search(r"```yaml\n(.*?)```", ABOUT_SWEEPS, re.S)[1])
    assert len(expand_points(load_sweep(tmp_path / "my.yml"), "my.yml", cores=4)) == 8


@pytest.mark.parametrize("model", [Sweep, Jvm, Arm, Forks, Quiet, Entry])
def test_every_key_of_a_sweep_is_documented(model):
    documented = set(re.findall(r"(?<=[`.])\w+(?=[`.])", ABOUT_SWEEPS))
    assert model.model_fields.keys() - documented == set()


@pytest.mark.parametrize("study", load_catalog())
def test_every_parameter_of_a_study_is_documented(study):
    shared, *parts = re.split(r"^\*\*`(\w+)`\*\*", ABOUT_PARAMETERS, flags=re.MULTILINE)
    text = shared + dict(zip(parts[::2], parts[1::2], strict=True))[study]
    names = [p.name for p in load_catalog()[study].parameters]
    assert [name for name in names if f"`{name}`" not in text] == []
