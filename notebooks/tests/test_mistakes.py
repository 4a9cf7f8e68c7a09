"""Mistakes that a person makes, each with its exit code and the sentence that answers it."""

import shlex

import pytest

from handoff.cli.main import main
from handoff.paths import DATA
from handoff.run.plan.expansion import MOST_COMBINATIONS
from handoff.run.plan.selection import select_sweep

TOP = "about: a test\nforks: {fitting: 5}\n"
GOOD = f"""{TOP}studies:
  scaling:
    - {{mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE], consumers: 1..3, sorts: 1, events: 81920,
       shots: 3}}
"""

FILES = [
    ("fitting: 5", "fiting: 5", "forks.fiting: unknown key; ... Did you mean fitting?"),
    ("fitting: 5", "fitting: five", "forks.fitting: must be a whole number, not 'five'."),
    ("fitting: 5", "fitting: 0", "forks.fitting: must be 1 or more, not 0."),
    ("{fitting: 5}", "5", "forks: must be keys with values, not 5."),
    (
        "  scaling:",
        "  scalling:",
        "studies.scalling: unknown key; choose from scaling, ... Did you mean scaling?",
    ),
    ("shots: 3", "shots: 3, shots: 4", "the key shots is given twice"),
    (",\n       shots: 3", "", "studies.scaling.0.shots: is missing."),
    ("shots: 3", "shots: 3, warmup: 3", "takes 3 of 3 shots, but at least one shot must be left"),
    ("shots: 3", "shots: 3, warmup: 1, warmup_events: 9", "remove one of the two keys"),
    ("shots: 3", "shots: 3, warmup_events: 0", "warmup_events: must be 1 or more, not 0."),
    ("1..3", "3..1", "3..1 counts down; write 1..3."),
    ("1..3", "1..99999", "1..99999 has more than 10,000 values."),
    ("1..3", "0", "studies.scaling.0.consumers.0: must be 1 or more, not 0."),
    ("1..3", "12", "consumers.0: must be 11 or less, not 12."),
    ("1..3", "[]", "consumers: needs at least one value, not []."),
    ("consumers:", "consumer:", "Did you mean consumers?"),
    (
        "[SEQUENTIAL",
        "[PIGEON",
        "mechanism.0: unknown value PIGEON; choose from SEQUENTIAL, ARRAY_BLOCKING_QUEUE",
    ),
    ("fitting: 5}", "fitting: 5", "not readable as YAML:"),
    ("sorts: 1", "sorts: 010", "010 is an octal number in YAML: write it in decimal"),
    ("sorts: 1", "sorts: [1, 1:30]", "1:30 is a sexagesimal number in YAML"),
    ("sorts: 1", "sorts: 1_000", "1_000 is a number with underscores in YAML"),
    ("sorts: 1", "sorts: null", "studies.scaling.0: sorts is null: write a value, or remove"),
    ("about: a test", "about: " + "[" * 20_000 + "]" * 20_000, "about: must be text, not [["),
    (GOOD, "", "the whole file: must be keys with values"),
    (GOOD, f"{TOP}studies: {{}}", "studies: name at least one study of scaling"),
]
"""What a mistake replaces in the good file, by what, and the sentence; ... is a gap in it."""

LINES = [
    ("jvm: {heap: 10k}", "jvm.heap: write a size such as 512m or 4g, at least 64m, not '10k'."),
    ("jvm: {flags: -Xint}", "jvm.flags: must be a list, not '-Xint'."),
    ("jvm: {flags: [-Xmx2g]}", "flags may not contain -Xmx2g: set the heap with jvm.heap"),
    ("jvm: {flags: ['-Dx=/tmp']}", "jvm.flags.0: write a flag such as"),
    ("jvm: {flags: [-Dhandoff.warmup.seconds=0]}", "flags may not contain -Dhandoff"),
    ("arms: {one: {jdk: 8}}", "arms.one.jdk"),
    ("arms: {one: {gdk: 25}}", "choose from jdk, jar, flags"),
    ("quiet: {again: 99}", "quiet.again: must be 10 or less, not 99."),
    ("warmup_limit: 0", "warmup_limit: must be more than 0, not 0."),
    ("verdicts: maybe", "verdicts: must be true or false, not 'maybe'."),
    ("jvm: {flags: ['-XX:-AlwaysPreTouch']}", "flags may not contain"),
    ("seed: yes", "seed: must be a whole number, not True."),
    ("extends: nothing", "unknown profile or sweep file nothing"),
    ("extends: full", "extends: quick is what to extend"),
]
"""Lines of their own at the top of a file."""

KEYS = [
    (
        "exclude: [{consumer: 2}]",
        "exclude.0.consumer: unknown key; choose from mechanism, consumers",
    ),
    ("placement: CPUS_0-x", "or a word such as CPUS_0_2_4-6 or S0:0-5@S1:0-5."),
    ("wait: busy_spin", "Did you mean BUSY_SPIN?"),
    ("include: [{capacity: }]", "include.0: capacity is null"),
]
"""Keys of an entry."""

FILES += [("studies:", f"{line}\nstudies:", sentence) for line, sentence in LINES]
FILES += [("sorts: 1", f"sorts: 1, {key}", sentence) for key, sentence in KEYS]

OPTIONS = [
    ("qiuck", "Did you mean quick?"),
    (
        "nosuch",
        "unknown profile or sweep file nosuch; choose from reference, actors, cliff, contenders,"
        " decisions, full, hops, jdks, ladder, latency, load, paper",
    ),
    (
        "full --only scalling",
        "--only scalling: not a study of this sweep; choose from scaling, topologies, latency,"
        " counters, executors, ring, actors, hops, or ... Did you mean scaling?",
    ),
    ("smoke --only scaling --only wait=BLOCKING", "choose from YIELDING"),
    ("quick --only capcity=64", "Did you mean capacity?"),
    ("quick --only sorts=2", "has no sorts=2; choose from 1, 15, 300."),
    ("quick --set fork.fitting=3", "Did you mean forks.fitting?"),
    ("full --set mechanizm=X", "--set mechanizm=X: unknown key mechanizm; choose from about, "),
    ("full --set mechanism=X", "scaling.0.mechanism.0: unknown value X; choose from "),
    ("full --set shots=[]", "--set shots=[]: write one value"),
    ("quick --set shots", "write name=value"),
    ("quick --budget soon", "write a time such as 90s, 15m or 2h, not 'soon'"),
    ("quick mesure", "unknown stage 'mesure'; choose from build, measure, tidy, figures, "),
    ("quick --dryrun", "unrecognized arguments: --dryrun"),
    ("''", "unknown profile or sweep file (empty); choose from reference"),
    ("quick --set sorts=null", "--set sorts=null: write one value"),
    ("quick --set sorts=[1", "--set sorts=[1: write one value"),
    ("quick --set shots=1,2", "--set shots=1,2: shots takes a single value."),
    ("quick --budget 0s", "write a time such as 90s, 15m or 2h, not '0s'"),
    ("quick --sessions 0", "expected a number from 1 to 20, got 0"),
    ("quick --machine 2x6", "--machine belongs to --dry-run"),
    ("quick --dry-run --machine two", "expected sockets x cores, such as 2x6"),
    ("quick --dry-run --machine 2x6/4", "6 cores do not divide into 4"),
    ("quick --dry-run --machine 9x999*9", "at most 8192 CPUs"),
    ("quick tidy --source latency", "--source belongs to the stages paper and html."),
    ("latency --source latenzy", "Did you mean latency?"),
    ("reference --only consumers=1", "reference is a run, not a sweep: --only belongs to"),
    ("reference measure", "reference is a run, not a sweep: unknown stage 'measure'"),
    ("runs --data /nonexistent", "--data: /nonexistent is not a folder."),
    ("archive ''", " is not a run: "),
    ("archive reference", "reference is already an archive: data/runs/reference.zip."),
    ("compare reference reference", "are the same run"),
    ("trace deadbeef", "no figure or verdict generated here has this id"),
    ("trace ../../*", "no figure or verdict generated here has this id"),
    ("extend nosuch", "nosuch is not a run"),
    ("compare a b --margin -4", "--margin is -4; expected a percentage from 0 to 1000."),
    ("--dry-run compare a", "compare is a command: it comes first"),
    ("quick figures --budget 1h", "--budget belongs to the stage measure."),
    ("quick --dry-run --sessions 3", "--sessions does nothing with --dry-run."),
    ("extend reference --dry-run --retry-failed", "--retry-failed does nothing with"),
    ("archive reference-warmup --data /nonexistent", "reference-warmup is not a run"),
    ("test bogus", "unknown part 'bogus'; choose from static, machine, other."),
]


def refuse(words, capsys) -> str:
    """Return the only line that a command prints, which ends with the code of bad input."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and len(err) < 1200, err
    return err


def has(said: str, sentence: str) -> bool:
    """Return whether all parts of a sentence with gaps were said."""
    return all(part in said for part in sentence.split(" ... "))


@pytest.mark.parametrize(("old", "new", "sentence"), FILES)
def test_a_mistake_in_a_file_is_one_sentence(tmp_path, capsys, monkeypatch, old, new, sentence):
    """Refused before Java is looked for, and before anything is written."""
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert old in GOOD
    file = tmp_path / "own.yml"
    file.write_text(GOOD.replace(old, new))
    said = refuse([str(file), "--data", str(tmp_path / "runs")], capsys)
    assert has(said, sentence) and ("own.yml" in said or "extends" in new)
    assert "Input should" not in said and "instance of" not in said and "must look" not in said
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(("words", "sentence"), OPTIONS)
def test_a_mistake_on_the_command_line_is_one_sentence(words, sentence, capsys):
    assert has(refuse(shlex.split(words), capsys), sentence)


REFUSED = "Java does not run with these flags ... "
PLANS = [
    ("[SEQUENTIAL, ARRAY", "[ARRAY", "nothing can be measured here: placement=CPUS_998_999"),
    (
        "sorts: 1,",
        "sorts: 1, exclude: [{sorts: 1}],",
        "no point is left to measure, because exclude matches every one",
    ),
    ("studies:", "jvm: {heap: 1000000g}\nstudies:", "1000000g is more than the "),
    ("sorts: 1", "sorts: 1..10000, capacity: 1..10000", "600,000,000 combinations of values; the"),
    (
        "ARRAY_BLOCKING_QUEUE]",
        "DISRUPTOR_STRIPED], capacity: 1000",
        "a power of two, such as 512 or 1024",
    ),
    (
        "studies:",
        "jvm: {flags: ['-XX:TieredStopAtLevl=1']}\nstudies:",
        f"jvm.flags: {REFUSED}Unrecognized VM option 'TieredStopAtLevl=1'",
    ),
    ("studies:", "jvm: {flags: ['--dry-run']}\nstudies:", f"jvm.flags: {REFUSED}"),
    (
        "studies:",
        "arms: {a: {}, b: {flags: ['-XX:+UseStringDeduplication']}}\nstudies:",
        f"arms.b.flags: {REFUSED}not supported by selected GC\n",
    ),
]
"""Only the machine can answer these; nothing is written."""


@pytest.mark.machine
@pytest.mark.parametrize(("old", "new", "sentence"), PLANS)
def test_what_cannot_be_planned_is_one_sentence(java, tmp_path, capsys, old, new, sentence):
    content = GOOD.replace(old, new).replace("shots: 3", "shots: 3, placement: CPUS_998_999")
    (tmp_path / "own.yml").write_text(content)
    said = refuse([str(tmp_path / "own.yml"), "--data", str(tmp_path / "runs")], capsys)
    assert has(said, sentence) and "own.yml" in said and not (tmp_path / "runs").exists()


@pytest.mark.machine
def test_an_exclude_that_matches_nothing_is_reported(java, tmp_path, capsys):
    items = "exclude: [{sorts: 999}, {consumers: 2}, {consumers: CORES}],"
    (tmp_path / "own.yml").write_text(GOOD.replace("sorts: 1,", f"sorts: 1, {items}"))
    assert main([str(tmp_path / "own.yml"), "--dry-run", "--machine", "1x4"]) == 0
    err = capsys.readouterr().err
    assert err.endswith("studies.scaling: exclude {sorts: 999} matches nothing.\n")
    assert err.count("\n") == 1


def test_the_stated_limit_is_the_one_that_is_documented():
    assert f"at most {MOST_COMBINATIONS:,} combinations" in (DATA / "README.md").read_text()


@pytest.mark.parametrize("number", ["1e5", "1.0e5", "100000", "1E+5"])
def test_a_number_with_an_exponent_is_understood(tmp_path, number):
    file = tmp_path / "own.yml"
    file.write_text(GOOD.replace("81920", number))
    ((_, entry),) = select_sweep(str(file), [], []).sweep.entries()
    assert entry.events == [100_000]
