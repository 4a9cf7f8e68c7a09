"""Handoff's one command line; `./run_all.sh` hands over to it."""

import signal
import sys
from collections.abc import Callable
from typing import Any

from handoff.cli import checks, commands, extending, pipeline, progress, runs
from handoff.cli.answers import ErrorAnswer
from handoff.cli.parser import ANNEX_COMMANDS, parse
from handoff.errors import BAD_INPUT, HandoffError

SIGNALLED = 128

RUNNERS: dict[str, Callable[[Any], int]] = {
    "run": pipeline.run_stages,
    "extend": extending.extend_run,
    "test": checks.run_checks,
    "trace": commands.trace_id,
    "compare": commands.compare_runs,
    "archive": commands.archive_run,
    "site": commands.make_site,
    "merge": commands.merge_runs,
    "runs": runs.list_runs,
    "describe": commands.describe_jar,
    "verdicts": commands.write_verdicts,
    "schema": commands.print_schema,
    **{name: command.run for name, command in ANNEX_COMMANDS.items()},
}
"""What each command of the parser does with its request."""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code; every bad ending is one sentence on standard
    error.
    """
    given = sys.argv[1:] if arguments is None else arguments
    for number in (signal.SIGTERM, signal.SIGHUP):
        # nohup starts us with SIGHUP ignored, and means it.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, progress.raise_interrupted)
    as_json = "--json" in given
    try:
        name, request = parse(given)
        return RUNNERS[name](request)
    except HandoffError as error:
        return report_ending(str(error), error.code, as_json)
    except OSError as refused:
        sentence = f"{refused.filename or 'a file'}: {refused.strerror}."
        return report_ending(sentence, BAD_INPUT, as_json)
    except progress.Interrupted as stop:
        sentence = (
            f"Stopped ({stop}). Nothing measured is lost: the same command goes on from here."
        )
        return report_ending(sentence, SIGNALLED + stop.number, as_json)
    except KeyboardInterrupt:
        return report_ending("Stopped.", SIGNALLED + signal.SIGINT, as_json)


def report_ending(sentence: str, code: int, as_json: bool) -> int:
    print(sentence, file=sys.stderr, flush=True)
    if as_json:
        ErrorAnswer(exit=code, error=sentence).print()
    return code


def exit_main() -> None:
    """The command `handoff` of the installed package."""
    sys.exit(main())
