"""One event's journey, to step through: the lines that move while a consumer handles it.

Among them are lines that the producer needs for an event that comes later.
"""

from handoff.draw.steps import Row, State, Steps
from handoff.model.lines import Move
from handoff.model.machine import PAPER, PS, Machine, load_machine
from handoff.model.simulation import Outcome, Point, simulate

CAPACITY, EVENTS, FOLLOWED = 64, 400, 60
"""The ring is full by the event that is followed, and no line is in memory only."""

THREADS = ("producer", "consumer")
NEAR, FAR = (0, 1), (0, 6)
"""Cores of the paper's machine: in one socket, and in two."""

KINDS = {
    "lock": "the line of the lock's word and list",
    "fields": "the line of the queue's counters",
    "slots": "a line of the array",
    "node": "the node in the lock's list of the {}",
    "condition": "the list of threads that wait for {}",
    "events": "a line of events",
    "cursor": "the sequence of the last published event",
    "claims": "the sequence of the last claimed event",
    "sequence": "the consumer's sequence",
    "entries": "a line of the ring's events",
}
"""What each kind of line holds; the name of some lines is a part of the words."""


def name_line(line: str) -> str:
    """Describe a line; 'node producer' is 'the node in the lock's list of the producer'."""
    kind, _, which = line.partition(" ")
    return KINDS[kind].format(which.removesuffix(" 1"))


def list_moves(outcome: Outcome) -> list[Move]:
    """List the transfers of the first event with any, from the followed one on."""
    for event in range(FOLLOWED, EVENTS):
        start, end = outcome.handled_ps[event - 1], outcome.handled_ps[event]
        moves = [move for move in outcome.moves if start < move.ps <= end]
        if moves:
            return moves
    return []


def show_journey(mechanism: str, places: tuple[int, int] = NEAR, name: str = PAPER) -> Steps:
    """Show one transfer per step: the line, its way, its time, and who holds which line then.

    `places`: the producer's core and the consumer's. `name`: that of the machine. The title has the
    mean number of transfers per event: most events of a ring need none.
    """
    machine = load_machine(name)
    outcome = simulate(machine, Point(mechanism, 1, 1, CAPACITY, EVENTS, places))
    moves = list_moves(outcome)
    held: dict[str, list[str]] = {}
    states = [describe_move(machine, move, moves[0].ps, places, held) for move in moves]
    where = "two sockets" if machine.is_far(*places) else "one socket"
    return Steps(
        f"MODEL: lines that move while one event is handled, {mechanism}, {name}, {where};"
        f" {outcome.near + outcome.far:.1f} per event on average",
        states,
    )


def describe_move(
    machine: Machine,
    move: Move,
    first_ps: int,
    places: tuple[int, int],
    held: dict[str, list[str]],
) -> State:
    """Describe a transfer, and note in `held` which threads hold the line after it."""
    threads = dict(zip(places, THREADS, strict=True))
    receiver = threads[move.core]
    sender = None if move.source is None else threads[move.source]
    line, why = name_line(move.line), "to write it" if move.writes else "to read it"
    before = held.get(line, [sender] if sender else [])
    held[line] = [receiver] if move.writes else list(dict.fromkeys([*before, receiver]))
    if sender == receiver:
        words = f"the {receiver}, which has a copy of {line}, becomes its owner, {why}"
    else:
        source = f"the {sender}" if sender else "memory"
        words = f"{line} goes from {source} to the {receiver}, {why}"
    rows = [Row(name, [" and ".join(who)], [0] * (name == line)) for name, who in held.items()]
    took = machine.transfer(move.source, move.core) / PS
    return State(f"{(move.ps - first_ps) / PS:.0f} ns: {words}: {took:.0f} ns.", rows)
