"""The ways in which a command can end badly, and the exit codes of all endings."""

COMPLETE, OUR_FAILURE, BAD_INPUT, INCOMPLETE, BUSY = 0, 1, 2, 3, 5


class Ending(Exception):
    """A bad ending, told in one sentence, without a stack trace."""

    code = OUR_FAILURE


class Failure(Ending):
    """A step of ours that failed."""


class BadInput(Ending):
    """A user's mistake, a missing set-up, a full disk: what a person can mend."""

    code = BAD_INPUT


class Busy(Ending):
    """Another runner is measuring on this machine."""

    code = BUSY
