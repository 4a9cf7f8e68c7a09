"""The command line; `./run_all.sh` passes its arguments on to it."""

import argparse
import signal
import sys
from importlib import import_module

from handoff.cli import extending, maintenance, pipeline, progress, request, results, runs
from handoff.cli.answers import ErrorAnswer
from handoff.cli.request import Command, Parser
from handoff.errors import BAD_INPUT, BadInput, HandoffError

SIGNALLED = 128
ANNEXES = ("cluster", "labs")
"""Packages that nothing else imports; each may register commands, in its module `commands`."""

EXIT_CODES = (
    "exit codes: 0 complete, 1 our failure, 2 input or set-up, 3 finished with missing forks\n"
    "(or weak ones, with --strict), 4 slower (compare), 5 another runner is active,\n"
    "6 something could not be judged (compare), 129/130/143 interrupted"
)


COMMANDS = {
    "run": Command(
        "measure, tidy, draw, judge, build the paper; may be left out",
        request.add_run,
        pipeline.run_stages,
    ),
    "compare": Command(
        "what changed between two runs; exit code 4: slower, 6: not judged",
        results.add_compare,
        results.compare_runs,
    ),
    "extend": Command(
        "add points and forks to an existing run, and measure only these",
        extending.add_extend,
        extending.extend_run,
    ),
    "test": Command(
        "check this checkout: tests, types, linters, one smoke sweep",
        maintenance.add_test,
        maintenance.run_checks,
    ),
    "trace": Command(
        "list the fork files behind the id of a figure or verdict",
        results.add_trace,
        results.trace_id,
    ),
    "archive": Command(
        "write a run as one file, which every command that reads runs can read",
        runs.add_archive,
        runs.archive_run,
    ),
    "runs": Command(
        "list the runs: about, machine, date, points, forks, verdicts",
        runs.add_runs,
        runs.list_runs,
    ),
    "describe": Command(
        "write data/studies.json and the schemas of data/ again, and record the claims' tests",
        lambda _: None,
        maintenance.describe_jar,
    ),
    "verdicts": Command(
        "write docs/verdicts.md, docs/machines.md, README's results and pictures again",
        lambda _: None,
        maintenance.write_verdicts,
    ),
}
"""Commands of the core, in the order of the help."""


def load_commands() -> dict[str, Command]:
    """Return the commands of the core, then those of the annexes."""
    commands = dict(COMMANDS)
    for annex in ANNEXES:
        commands |= import_module(f"handoff.{annex}.commands").COMMANDS
    return commands


def parse(arguments: list[str]) -> tuple[Command, argparse.Namespace]:
    """Return the command and its arguments; raise BadInput for a wrong word."""
    commands = load_commands()
    named = bool(arguments) and arguments[0] in commands
    name = arguments[0] if named else "run"
    command = commands[name]
    parser = Parser(
        prog=f"./run_all.sh {name}" if named else "./run_all.sh",
        description=f"{command.help[:1].upper()}{command.help[1:]}.",
        epilog=None if name != "run" else describe_commands(commands),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add(parser)
    given = parser.parse_intermixed_args(arguments[1 if named else 0 :])
    if name == "run" and given.target in commands:
        raise BadInput(f"{given.target} is a command: it comes first, ./run_all.sh {given.target}.")
    return command, given


def describe_commands(commands: dict[str, Command]) -> str:
    """Return the other commands, one per line, and the exit codes."""
    lines = [f"  {name:9} {command.help}" for name, command in commands.items() if name != "run"]
    return "\n".join(["other commands, each with its own --help:", *lines, "", EXIT_CODES])


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; every failure prints one sentence to stderr."""
    words = sys.argv[1:] if arguments is None else arguments
    for number in (signal.SIGTERM, signal.SIGHUP):
        # nohup starts this process with SIGHUP ignored, which must stay so.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, progress.raise_interrupted)
    try:
        command, given = parse(words)
        return command.run(given)
    except HandoffError as error:
        sentence, code = str(error), error.code
    except OSError as refused:
        sentence, code = f"{refused.filename or 'a file'}: {refused.strerror}.", BAD_INPUT
    except progress.Interrupted as stop:
        kept = "Nothing measured is lost: the same command continues from here."
        sentence, code = f"Stopped ({stop}). {kept}", SIGNALLED + stop.number
    except KeyboardInterrupt:
        sentence, code = "Stopped.", SIGNALLED + signal.SIGINT
    print(sentence, file=sys.stderr, flush=True)
    return ErrorAnswer(exit=code, error=sentence).end("--json" in words)


def exit_main() -> None:
    """Run the command `handoff` of the installed package."""
    sys.exit(main())
