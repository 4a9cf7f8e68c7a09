"""Forty mistakes that a person makes, each with the sentence that answers it."""

import pytest

from handoff.cli.main import parse
from handoff.cli.request import make_run
from handoff.errors import BadInput
from handoff.run.plan.selection import select_sweep

GOOD = """about: a test
forks: {fitting: 5}
studies:
  scaling:
    - {mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE], consumers: 1..3, sorts: 1, events: 81920,
       shots: 3}
"""

FILES = [
    ("about: a test\n", "", "about: is missing."),
    ("fitting: 5", "fiting: 5", "forks.fiting: unknown key; choose from fitting, oversubscribed,"),
    ("fitting: 5", "fiting: 5", "Did you mean fitting?"),
    ("fitting: 5", "fitting: five", "forks.fitting: must be a whole number, not 'five'."),
    ("fitting: 5", "fitting: 0", "forks.fitting: must be 1 or more, not 0."),
    ("fitting: 5", "fitting: 5, most: 3", "expected most to exceed fitting (5), got 3."),
    ("fitting: 5", "fitting: 5, fitting: 6", "the key fitting is given twice"),
    ("{fitting: 5}", "5", "forks: must be keys with values, not 5."),
    ("{fitting: 5}", "", "forks: must be keys with values, not None."),
    ("  scaling:", "  scalling:", "Did you mean scaling?"),
    ("shots: 3", "shots: -1", "shots: must be 1 or more, not -1."),
    ("shots: 3", "shots: 3, shots: 4", "the key shots is given twice"),
    (",\n       shots: 3", "", "studies.scaling.0.shots: is missing."),
    ("shots: 3", "shots: 3, warmup: 3", "takes 3 of 3 shots, but at least one shot must be left"),
    ("1..3", "3..1", "3..1 counts down; write 1..3."),
    ("1..3", "1..99999", "1..99999 has more than 10,000 values."),
    ("1..3", "one", "consumers.0: must be a whole number, not 'one'."),
    ("1..3", "0", "consumers.0: must be 1 or more, not 0."),
    ("1..3", "12", "consumers.0: must be 11 or less, not 12."),
    ("1..3", "1.5", "consumers.0: must be a whole number, not 1.5."),
    ("1..3", "[]", "consumers: needs at least one value, not []."),
    ("consumers:", "consumer:", "Did you mean consumers?"),
    ("ARRAY_BLOCKING_QUEUE]", "ARAY_BLOCKING_QUEUE]", "Did you mean ARRAY_BLOCKING_QUEUE?"),
    (
        "sorts: 1,",
        "sorts: 1, placement: CPUS_0-x,",
        "or a word such as CPUS_0_2_4-6 or S0:0-5@S1:0-5.",
    ),
    ("sorts: 1,", "sorts: 1, wait: busy_spin,", "Did you mean BUSY_SPIN?"),
    ("studies:", "jvm: {heap: 10k}\nstudies:", "jvm.heap: must look like "),
    ("studies:", "jvm: {flags: -Xint}\nstudies:", "jvm.flags: must be a list, not '-Xint'."),
    ("studies:", "jvm: {flags: [-Xmx2g]}\nstudies:", "flags may not contain -Xmx2g"),
    ("studies:", "quiet: {again: 99}\nstudies:", "quiet.again: must be 10 or less, not 99."),
    ("studies:", "warmup_limit: 0\nstudies:", "warmup_limit: must be more than 0, not 0."),
    ("studies:", "verdicts: maybe\nstudies:", "verdicts: must be true or false, not 'maybe'."),
    ("fitting: 5}", "fitting: 5", "not readable as YAML:"),
    ("{fitting: 5}", "{{fitting: 5}}", "not readable as YAML:"),
]

OPTIONS = [
    (["qiuck"], "Did you mean quick?"),
    (["quick", "--only", "scalling"], "Did you mean scaling?"),
    (["quick", "--only", "capcity=64"], "Did you mean capacity?"),
    (["quick", "--only", "sorts=2"], "has no sorts=2; choose from 1, 15, 300."),
    (["quick", "--set", "fork.fitting=3"], "Did you mean forks.fitting?"),
    (["quick", "--set", "shots"], "write name=value"),
    (["quick", "--set", "consumers=5..2"], "5..2 counts down; write 2..5."),
    (["quick", "--budget", "soon"], "write a time such as 90s, 15m or 2h, not 'soon'"),
    (
        ["quick", "mesure"],
        "unknown stage 'mesure'; choose from build, measure, tidy, figures, paper, html.",
    ),
    (["quick", "--dryrun"], "unrecognized arguments: --dryrun"),
]


def test_they_are_forty():
    assert len(FILES) + len(OPTIONS) >= 40


@pytest.mark.parametrize(("old", "new", "told"), FILES)
def test_a_mistake_in_a_file_is_one_sentence(tmp_path, old, new, told):
    assert old in GOOD
    file = tmp_path / "own.yml"
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(BadInput) as refusal:
        select_sweep(str(file), [], [])
    said = str(refusal.value)
    assert told in said and "own.yml" in said and "\n" not in said
    assert "Input should" not in said and "instance of" not in said


@pytest.mark.parametrize(("words", "told"), OPTIONS)
def test_a_mistake_on_the_command_line_is_one_sentence(words, told):
    with pytest.raises(BadInput) as refusal:
        request = make_run(parse(words)[1])
        select_sweep(request.target, request.only, request.sets)
    assert told in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize("number", ["1e5", "1.0e5", "100000", "1E+5"])
def test_a_number_with_an_exponent_is_understood(tmp_path, number):
    file = tmp_path / "own.yml"
    file.write_text(GOOD.replace("81920", number))
    ((_, entry),) = select_sweep(str(file), [], []).sweep.entries()
    assert entry.events == [100_000]


def test_the_file_without_a_mistake_is_read(tmp_path):
    (tmp_path / "own.yml").write_text(GOOD)
    assert select_sweep(str(tmp_path / "own.yml"), [], []).sweep.forks.fitting == 5
