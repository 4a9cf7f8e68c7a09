"""docs/ci.md, followed to the letter: its sweeps, its workflow, its cron job, its exit codes."""

import re
import shlex
import subprocess

import pytest
import yaml

from handoff import errors
from handoff.cli import gating
from handoff.cli.main import parse
from handoff.paths import DOCS, SWEEPS
from handoff.run.plan.sweepfile import validate_sweep

TEXT = (DOCS / "ci.md").read_text()
GATE = SWEEPS / "examples" / "gate.yml"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def read_command(line: str) -> list[str]:
    """Return the arguments of ./run_all.sh in a line of shell."""
    words = shlex.split(re.sub(r"\$\{\{.*?\}\}", "abc1234", line))
    assert words[0] == "./run_all.sh"
    return words[1 : words.index(">") if ">" in words else None]


def test_its_sweep_is_the_shipped_example():
    shown = yaml.safe_load(blocks("yaml")[0])
    assert shown == yaml.safe_load(GATE.read_text())
    assert validate_sweep(shown, "ci.md").forks.fitting >= 5


def test_its_sweep_with_arms_is_valid():
    shown = validate_sweep(yaml.safe_load(blocks("yaml")[1]), "ci.md")
    assert list(shown.arms) == ["jdk17", "jdk25"] and not shown.arms["jdk17"].jar


def test_its_workflow_gates_and_keeps_what_the_gate_wrote():
    flow = yaml.safe_load(blocks("yaml")[2])
    steps = {step.get("name", step.get("uses")): step for step in flow["jobs"]["gate"]["steps"]}
    command, given = parse(read_command(steps["gate"]["run"]))
    assert command is gating.COMMANDS["gate"] and given.report.name == "gate-report"
    assert "gate-report/gate.md" in steps["summary"]["run"]
    assert steps["actions/upload-artifact@v5"]["with"]["path"] == "gate-report"
    # The base of a pull request must be in the clone.
    assert steps["actions/checkout@v5"]["with"]["fetch-depth"] == 0


def test_its_first_command_is_one():
    command, given = parse(read_command(blocks("sh")[0].strip()))
    assert command is gating.COMMANDS["gate"] and given.baseline == "origin/main"


CODES = {0: "", 4: "slower than v1", 3: "incomplete", 6: "not judged", 2: "gate failed with code 2"}


@pytest.mark.parametrize(("code", "subject"), CODES.items())
def test_its_cron_job_mails_whatever_is_not_a_pass(tmp_path, code, subject):
    checkout, mail = tmp_path / "checkout", tmp_path / "bin" / "mail"
    scripts = {
        checkout / "run_all.sh": f'#!/bin/sh\necho "$@" > words\nexit {code}\n',
        mail: f'#!/bin/sh\necho "$2 to $3" > {tmp_path}/sent\n',
        tmp_path / "gate.sh": blocks("sh")[1],
    }
    for path, content in scripts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        path.chmod(0o755)
    command = [tmp_path / "gate.sh", checkout, "v1", "me"]
    ended = subprocess.run(command, env={"PATH": f"{mail.parent}:/usr/bin:/bin"}, check=False)
    assert ended.returncode == code
    parse((checkout / "words").read_text().split())
    sent = tmp_path / "sent"
    assert (sent.read_text() if sent.exists() else "").startswith(subject)
    assert sent.exists() == (code != 0)


def test_it_explains_every_exit_code_of_a_gate():
    table = TEXT.split("## Exit codes")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)
    constants = [value for name, value in vars(errors).items() if name.isupper()]
    codes = {value for value in constants if isinstance(value, int)}
    assert codes <= {int(number) for row in rows for number in row.split(", ")}
