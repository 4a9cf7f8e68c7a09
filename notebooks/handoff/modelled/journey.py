"""Watch the line: what moves while one event is handled in a short model run, to step through: the
consumer's part of this event, and the producer's of one that comes later.
"""

from handoff.draw.steps import Row, State, Steps
from handoff.model.lines import Move
from handoff.model.machine import PS, Machine, load_machine
from handoff.model.simulation import Point, simulate
from handoff.modelled.predictions import PAPER

CAPACITY, EVENTS, FOLLOWED = 64, 400, 60
"""The ring is full by then, and nothing is cold."""

THREADS = ("producer", "consumer")
NEAR, FAR = (0, 1), (0, 6)
"""Cores of the paper's machine in one socket, and in two."""

KINDS = {
    "lock": "the lock's word and list",
    "fields": "the line of the queue's counters",
    "slots": "places of the array",
    "node": "the entry in the lock's list of",
    "condition": "the list of who waits for",
    "event": "event",
    "cursor": "up to where is published",
    "claims": "up to where is claimed",
    "sequence": "how far the consumer is",
    "entry": "the ring's place",
}
PLAIN = ("slots", "sequence")
"""Kinds of which one is shown: its number tells nothing."""


def name_line(line: str) -> str:
    """'entry 5' is 'the ring's place 5'."""
    kind, _, which = line.partition(" ")
    return KINDS[kind] if kind in PLAIN or not which else f"{KINDS[kind]} {which}"


def list_moves(machine: Machine, mechanism: str, places: tuple[int, int] = NEAR) -> list[Move]:
    """What moves from one event's end to the next one's, in a run with one consumer."""
    found = simulate(machine, Point(mechanism, 1, 1, CAPACITY, EVENTS, places), log=True)
    # Handled in batches: the first stretch in which anything moves.
    for event in range(FOLLOWED, EVENTS):
        began, ended = found.handled_ps[event - 1], found.handled_ps[event]
        moves = [move for move in found.log if began < move.ps <= ended]
        if moves:
            return moves
    return []


def show_journey(mechanism: str, places: tuple[int, int] = NEAR) -> Steps:
    """One transfer a step: what moves, from whom to whom, what it took, and who holds what then.
    `places`: the producer's core and the consumer's.
    """
    machine = load_machine(PAPER)
    moves = list_moves(machine, mechanism, places)
    threads = dict(zip(places, THREADS, strict=True))
    held: dict[str, list[str]] = {}
    states = []
    for move in moves:
        goes = threads[move.core]
        comes = None if move.source is None else threads[move.source]
        took = machine.transfer(move.source, move.core) / PS
        line, why = name_line(move.line), "to write it" if move.writes else "to read it"
        before = held.get(line, [comes] if comes else [])
        held[line] = [goes] if move.writes else list(dict.fromkeys([*before, goes]))
        if comes == goes:
            told = f"the {goes} has {line} already, and now for itself alone, {why}"
        else:
            told = f"{line} goes from {f'the {comes}' if comes else 'memory'} to the {goes}, {why}"
        after = (move.ps - moves[0].ps) / PS
        rows = [Row(name, [" and ".join(who)], [0] * (name == line)) for name, who in held.items()]
        states.append(State(f"{after:.0f} ns: {told}: {took:.0f} ns.", rows))
    where = "two sockets" if machine.is_far(*places) else "one socket"
    return Steps(f"MODEL: lines that move while one event is handled, {mechanism}, {where}", states)
