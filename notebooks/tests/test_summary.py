"""What a command prints at its end: the main verdicts, or the largest effects."""

import pytest

from handoff.cli import outcome
from handoff.files import write_json
from handoff.paths import generated_folder


def make_row(claim: str, words: str = "reproduced") -> dict:
    says = "With one sort per event, the blocking queue takes longer than one thread alone"
    judged = {"here": "4.10 [3.64 to 4.60]", "judged": words == "reproduced", "forced": False}
    return {"claim": claim, "says": says, "words": words, **judged}


@pytest.fixture
def print_of(fake_run, capsys):
    """Return what is printed of a run with these claims and effects."""

    def print_made(*claims: dict, profile: str = "quick") -> str:
        made = fake_run()
        run = made._replace(identity=made.identity | {"profile": profile})
        folder = generated_folder(run.folder)
        folder.mkdir()
        section = {"claims": list(claims), "usual": "Judged.", "untestable": "Not judged: P2."}
        write_json(folder / "numbers.json", section | {"studies": []})
        effects = {"study": "scaling", "sentences": ["sorts 15 in place of 1: 9 times the time."]}
        write_json(folder / "sweep.json", {"studies": [effects]})
        outcome.print_results(run)
        return capsys.readouterr().out

    return print_made


def test_the_main_claims_are_a_table_of_80_columns_in_the_order_of_readme(print_of):
    text = print_of(make_row("P3"), make_row("P5"), make_row("P1"))
    assert text.index("P1 ") < text.index("P3 ") and "P5" not in text
    assert "4.10 [3.64 to 4.60]" in text and "Not judged: P2." in text
    assert max(map(len, text.splitlines())) <= 80 and "effects" not in text


def test_where_none_of_them_is_judged_the_largest_effects_are_printed(print_of):
    text = print_of(make_row("P1", "not testable here"))
    assert "P1" not in text and "Largest effects in scaling:\n  sorts 15 in place of 1" in text


def test_where_no_effect_is_sure_the_levels_are_printed():
    point = {"values": ["15"], "responses": ["357.3 [350, 365]", "1 [1, 1]"]}
    study = {"varied": [{"name": "sorts"}], "responses": [{"axis": "ns per event"}] * 2}
    levels = outcome.list_levels(study | {"points": [point]})
    assert levels == ["sorts 15; ns per event: 357.3 [350, 365]"]


def test_an_own_sweep_ends_with_its_effects_too(print_of):
    text = print_of(make_row("P1"), profile="my")
    assert "P1" in text and "Largest effects in scaling" in text
