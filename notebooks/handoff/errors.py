"""The two ways in which a command can end badly, and the exit codes of all endings."""

COMPLETE, OUR_FAILURE, BAD_INPUT, INCOMPLETE = 0, 1, 2, 3


class BadInput(Exception):
    """A user's mistake or a missing set-up, told in one sentence; exit code 2, no stack trace."""


class Failure(Exception):
    """A step of ours that failed, told in one sentence; exit code 1."""
