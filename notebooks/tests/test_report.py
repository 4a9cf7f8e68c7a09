"""Generated files follow from the forks of the run's folder, and lead back to them."""

import json
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest
import typst
from bs4 import BeautifulSoup

from handoff.claims.files import load_claim_files
from handoff.cli.notebook import kernel_environment
from handoff.errors import BadInput, Failure
from handoff.files import write_json
from handoff.paths import PAPER, generated_folder
from handoff.report import numbers as report
from handoff.report import papers
from handoff.run.store.run import read_run
from handoff.studies.scaling.figures import ScalingFigures
from handoff.tables import tidy, trace

from . import synthetic
from .conftest import copy_some, save_numbers
from .table_schema import list_deviations


@pytest.fixture
def plain(tmp_path):
    """Return a source of one line, in a separate folder."""
    (tmp_path / "plain.typ").write_text('#set document(title: "plain")\n= Plain')
    return papers.Source(tmp_path / "plain.typ")


def fail_while_tagging(monkeypatch):
    """Have Typst fail as its tagged PDF does at some page breaks."""
    compile_pdf = typst.compile

    def compile_untagged(*source, **options):
        if options["pdf_tags"]:
            raise typst.TypstError("internal error: parent group (typst-pdf/src/tags/tree.rs:202)")
        return compile_pdf(*source, **options)

    monkeypatch.setattr(papers.typst, "compile", compile_untagged)


def test_a_pdf_that_typst_cannot_tag_is_built_without_tags_and_says_so(plain, monkeypatch, capsys):
    fail_while_tagging(monkeypatch)
    assert papers.compile_source(plain, plain.file.parent, "pdf").startswith(b"%PDF")
    assert "plain.pdf has no tags for screen readers" in capsys.readouterr().out


def test_an_error_in_a_source_is_raised(plain, monkeypatch, capsys):
    plain.file.write_text("#unknown")
    fail_while_tagging(monkeypatch)
    with pytest.raises(Failure, match="unknown variable"):
        papers.compile_source(plain, plain.file.parent, "pdf")
    assert capsys.readouterr().out == ""


def copy_run(run, folder):
    """Copy a run without what other tests drew of it."""
    drawn = shutil.ignore_patterns("generated")
    return read_run(shutil.copytree(run.folder, folder, ignore=drawn))


@pytest.fixture(scope="module")
def built(small, tmp_path_factory):
    """Build everything of the small run; return it, its numbers and the figure's trace."""
    run = copy_run(small, tmp_path_factory.mktemp("built") / "own")
    return run, *build(run)


@pytest.fixture
def own_built(built, tmp_path):
    """Copy the built run, to be changed; return it, its numbers and the figure's trace."""
    run, made, identity = built
    return read_run(shutil.copytree(run.folder, tmp_path / "runs" / "own")), made, identity


def read_paper(run) -> bytes:
    return (generated_folder(run.folder) / "handoff.pdf").read_bytes()


def build(run):
    """Make tables, a figure, verdicts, numbers and PDF; return numbers and the figure's trace."""
    shutil.rmtree(generated_folder(run.folder), ignore_errors=True)
    tidy.write_tables(run)
    ScalingFigures(run, generated_folder(run.folder)).figure("seconds_40m", 1)
    made = save_numbers(run)
    papers.build_pdfs(run)
    (drawn,) = (figure for figure in made["figures"] if figure["name"] == "figure-3")
    return made, drawn["note"].split()[-1]


def a_fork(run):
    """Return the file of a fork of the queue with one sort, which figure 3 shows."""
    wanted = {"mechanism": "ARRAY_BLOCKING_QUEUE", "consumers": "1", "sorts": "1"}
    point = next(point for point in run.points if wanted.items() <= point.params.items())
    return run.folder / "forks" / f"{point.name}-0.json"


def edit(path):
    """Change a fork file without sealing it again."""
    path.write_text(path.read_text().replace('"userNs":', '"userNs":1', 1))


def slow(path, factor=1.5):
    """Change what a fork measured, and seal its file again."""
    content = json.loads(path.read_text())
    for shot in content["evidence"]["shots"]:
        shot["wallNs"] = int(shot["wallNs"] * factor)
    write_json(path, synthetic.seal(content))


def find_answer(made: dict, claim: str) -> dict:
    """Return what was found about a claim in the last setting, today's."""
    (row,) = (row for row in made["claims"] if row["claim"] == claim)
    return row["answers"][-1]


def test_a_number_that_changed_in_a_fork_changes_numbers_figure_pdf_and_trace(own_built):
    own, before, trace_before = own_built
    figures = generated_folder(own.folder) / "figures"
    pictures = {path.name: path.read_bytes() for path in figures.glob("*.svg")}
    pages = read_paper(own)
    slow(a_fork(own))
    after, trace_after = build(own)
    assert before["measured"] != after["measured"] and before["forks"] != after["forks"]
    p3, p3_after = (find_answer(made, "P3") for made in (before, after))
    assert p3["here"] != p3_after["here"] and p3["trace"] != p3_after["trace"]
    assert trace_before != trace_after and read_paper(own) != pages
    assert all((figures / name).read_bytes() != old for name, old in pictures.items())


def test_the_same_forks_make_the_same_pdf_and_traces(own_built):
    own, *first = own_built
    pages = read_paper(own)
    assert first == [*build(own)] and read_paper(own) == pages


def test_an_edited_fork_is_refused_and_no_old_paper_is_built_from_it(own_built, call):
    own, _, _ = own_built
    edit(a_fork(own))
    with pytest.raises(BadInput, match="do not match its forks"):
        papers.build_pdfs(own)
    ended = call(own.folder, "paper")
    assert ended.returncode == 2 and "run the stages tidy and figures first" in ended.stderr
    set_aside = tidy.write_tables(own)["points"].attrs["set_aside"]
    assert any("was changed after it was measured" in text for text in set_aside)


def test_a_trace_leads_to_fork_files_sweep_commit_and_command(own_built, call):
    own, _, identity = own_built
    ended = call("trace", identity, "--data", own.folder.parent)
    assert ended.returncode == 0, ended.stderr
    start = json.loads((own.folder / "starts" / "001.json").read_text())
    said = ["figure-3", start["command"], f"commit {start['commit'][:8]}", "sweep.yml"]
    said += [own.identity["jar"], f"{a_fork(own).name}  sha256 "]
    assert all(text in ended.stdout for text in said)
    assert "CHANGED" not in ended.stdout


def test_a_trace_tells_what_was_changed_or_removed_since(own_built):
    own, _, identity = own_built
    found = trace.find_trace(identity, own.folder.parent)
    changed, edited, gone = (own.folder / "forks" / name for name in list(found["forks"])[:3])
    slow(changed)
    edit(edited)
    gone.unlink()
    described = trace.describe_trace(found, own)[7:]
    lines = {line.split()[0].rsplit("/", 1)[-1]: line for line in described}
    assert lines[changed.name].endswith("CHANGED since")
    assert "EDITED" in lines[edited.name] and "GONE" in lines[gone.name]


def test_the_paper_of_a_run_with_missing_points_builds_and_says_so(own_built):
    own, _, _ = own_built
    for path in (own.folder / "forks").glob("*-0.json"):
        path.unlink()
    made, _ = build(own)
    points = made["points"]
    assert points["lacking"].startswith("INCOMPLETE: ") and points["found"] < points["asked"]
    assert len(read_paper(own)) > 20_000


def test_the_paper_of_a_run_without_any_fork_builds(small, tmp_path):
    own = copy_run(small, tmp_path / "runs" / "own")
    shutil.rmtree(own.folder / "forks")
    (own.folder / "forks").mkdir()
    tidy.write_tables(own)
    assert save_numbers(own)["studies"] == []
    assert pd.read_csv(generated_folder(own.folder) / "verdicts.csv").empty
    assert [made.name for made in papers.build_pdfs(own)] == ["sweep.pdf"]


def test_the_paper_of_a_run_of_the_papers_study_names_no_other(small, tmp_path):
    run = copy_some(small, tmp_path / "own", lambda point: point.study == "scaling")
    made, _ = build(run)
    assert made["studies"] == [] and made["summary"].startswith("15 claims: ")
    source = papers.Source(papers.PAPER_SOURCE)
    page = papers.compile_source(source, generated_folder(run.folder), "html")
    text = BeautifulSoup(page, "html.parser").get_text(" ")
    claims = {claim for file in load_claim_files().values() for claim in file.claims}
    assert claims & set(re.findall(r"\w+", text)) == set(load_claim_files()["scaling"].claims)
    others = r"topolog|latenc|executor|\bactors?\b|Scala\b|Pekko|blog|The other source"
    assert re.findall(others, text) == []


def test_a_users_sweep_that_judges_nothing_has_only_its_report(small, tmp_path):
    run = copy_some(small, tmp_path / "own", lambda point: point.params.get("sorts") == "1")
    silent = run.sweep.model_copy(update={"verdicts": False})
    run = run._replace(identity=run.identity | {"profile": "my"}, sweep=silent)
    tidy.write_tables(run)
    save_numbers(run)
    assert [source.name for source in papers.list_sources(run, "")] == ["sweep"]


def test_figures_drawn_after_the_numbers_are_listed_and_no_number_changes(own_built):
    run, before, _ = own_built
    ScalingFigures(run, generated_folder(run.folder)).figure("seconds_40m", 15)
    report.update_figures(run)
    made = json.loads((generated_folder(run.folder) / "numbers.json").read_text())
    names = [figure["name"] for figure in made.pop("figures")]
    assert sorted(names) == ["figure-3", "figure-4"]
    assert made == {name: before[name] for name in made}


RECORD = """
import pathlib, sys, types
import pandas as pd
from handoff.tables import trace
run = types.SimpleNamespace(points=[], folder=pathlib.Path(sys.argv[1]) / "run")
for _ in range(300):
    trace.record_trace(run, "what", pd.DataFrame(columns=["point", "fork", "again", "hash"]))
"""


def test_two_notebooks_can_record_the_same_trace_at_once(tmp_path):
    command = [sys.executable, "-c", RECORD, str(tmp_path)]
    both = [subprocess.Popen(command, env=kernel_environment()) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    (made,) = (tmp_path / "run" / "generated" / "trace").iterdir()
    assert json.loads(made.read_text())["what"] == "what"


def test_each_source_has_a_paper_of_its_own(built):
    run, made, _ = built
    (paper,) = papers.build_pdfs(run, "latency")
    assert paper.name == "latency.pdf" and paper.read_bytes().startswith(b"%PDF")
    section = next(section for section in made["studies"] if section["study"] == "latency")
    assert section["question"] and section["about"][0] and "```" not in section["diagram"]
    for name, words in (("latenzy", r".* Did you mean latency\?"), ("scaling", "")):
        with pytest.raises(BadInput, match=f"--source {name}: {words}"):
            papers.build_pdfs(run, name)


def test_the_paper_of_a_machine_of_two_nodes_builds(synthetic_run, tmp_path):
    run = copy_run(synthetic_run("paper"), tmp_path / "runs" / "made-up")
    made, _ = build(run)
    assert synthetic.CPU in made["machine"]["words"]
    same = "10 reproduced, 2 direction reproduced"
    assert made["summary"] == (
        f"15 claims: then: {same}, 1 holds by construction, 1 not testable here, 1 not measured;"
        f" today: {same}, 1 fails by construction, 1 not testable here, 1 not measured"
    )
    assert "The run judges 12 of the study's 15 claims: P1" in made["scope"]
    assert "The code decides P5." in made["scope"]
    assert "Unless noted, claims are judged in one session." in made["scope"]
    source = papers.Source(papers.PAPER_SOURCE)
    page = papers.compile_source(source, generated_folder(run.folder), "html")
    abstract, _, _ = BeautifulSoup(page, "html.parser").get_text(" ").partition("Findings")
    assert "2 of 15 claims are not testable here." in abstract
    assert len(abstract.partition("Abstract.")[2].split()) <= 150


def test_verdicts_csv_is_what_the_paper_prints_and_is_documented(built):
    run, made, _ = built
    folder = generated_folder(run.folder)
    table = pd.read_csv(folder / "verdicts.csv", dtype=str)
    verdicts = table.groupby("claim")["verdict"].agg(list)
    printed = [row for part in (made, *made["studies"]) for row in part["claims"]]
    assert printed
    for row in printed:
        assert verdicts[row["claim"]] == [answer["verdict"] for answer in row["answers"]]
    assert [row["claim"] for row in made["claims"]] == [f"P{n}" for n in range(1, 16)]
    assert table["figure"].dropna().str.isdecimal().all()
    for resource in json.loads((folder / "datapackage.json").read_text())["resources"]:
        assert list_deviations(folder / resource["path"], resource["schema"]) == []


def test_typst_eats_no_semicolon_of_a_source():
    """A semicolon after an expression ends it, and is not printed."""
    eaten = re.compile(r"#[a-zA-Z_.]+(\([^()]*\))?;")
    for source in PAPER.glob("*.typ"):
        assert not eaten.search(source.read_text()), source.name
