"""Rules for a student's class that javap's output shows: types it may use, fields it may share."""

import re

NAME = "MyExchange"
PUT, TAKE = "put", "take"

ALLOWED = re.compile(
    r"""\[* L? (
        java/lang/(Object|String|Integer|Long|Math|Class|Thread|Throwable|Record|Enum|Error
            |(Illegal\w+|Interrupted|Runtime|NoSuchField|IllegalAccess|ReflectiveOperation
            |IndexOutOfBounds|Arithmetic|NullPointer)?Exception|AssertionError
            |ExceptionInInitializerError|MatchException)
        |java/lang/invoke/(VarHandle|MethodHandles)(\$Lookup)?
        |java/util/concurrent/atomic/\w+
        |java/util/concurrent/locks/LockSupport
        |java/util/Objects|java/util/Arrays
        |handoff/mechanism/Exchange
        |MyExchange(\$\w+)?
        |[BCDFIJSZ]
    ) ;?""",
    re.VERBOSE,
)
"""Types that a student's ring may use; not the JDK's queues, locks and executors."""


def split_classes(listed: str) -> dict[str, str]:
    """Split javap's output into one part per class, by class name."""
    parts = {}
    for part in re.split(r"^Classfile ", listed, flags=re.MULTILINE)[1:]:
        name = re.search(r"^  this_class: #\d+ +// (\S+)$", part, re.MULTILINE)
        parts[name[1] if name else part[:80]] = part
    return parts


def describe_strangers(listed: str) -> str:
    """Return a class that it may not use, or that it has a native method; or ''."""
    named = re.findall(r"= Class +#\d+ +// \"?([^\"\s]+)\"?$", listed, re.MULTILINE)
    forbidden = sorted({name for name in named if not ALLOWED.fullmatch(name)})
    if forbidden:
        return f"it uses {forbidden[0].replace('/', '.')}, which is not allowed"
    return (
        "it has a native method" if re.search(r"^  .*\bnative\b.*;$", listed, re.MULTILINE) else ""
    )


FIELD = re.compile(r"^  ([a-zA-Z ]*?)([\w.$\[\]<>?]+) (\w+);$\n    descriptor: (\S+)", re.MULTILINE)
METHOD = re.compile(r"^  [^\n(]*?(\w+)\([^\n]*;$\n    descriptor:", re.MULTILINE)
ACCESS = re.compile(r"((?:get|put)(?:field|static)) +#\d+ +// Field (?:([\w$]+)\.)?(\w+):")
CALL = re.compile(r"invoke\w+ +#\d+(?:, +\d+)? +// (?:Interface)?Method (?:([\w$]+)\.)?(\w+):")

Member = tuple[str, str]
"""A class, and a field or method of it."""


def describe_fields(listed: str, name: str = NAME, sides: tuple[str, str] = (PUT, TAKE)) -> str:
    """Return a field that the two sides of a class share wrongly, and why; or ''.

    Fields that only one side uses are free of rules.
    """
    classes = split_classes(listed)
    bodies = {
        (owner, name): body
        for owner, part in classes.items()
        for name, body in split_methods(part).items()
    }
    used = [list_accesses((name, side), bodies) for side in sides]
    both = " and ".join(sides)
    for owner, part in classes.items():
        for words, _, field, descriptor in FIELD.findall(part):
            kinds = set(words.split())
            ways = [accesses.get((owner, field), set()) for accesses in used]
            if not {"final", "volatile"} & kinds and all(ways):
                return (
                    f"the field {field} is neither final nor volatile, and both {both} use it:"
                    " one thread may never see what the other wrote"
                )
            if descriptor in NUMBERS and all(way & WRITES for way in ways):
                return (
                    f"both {both} write the number {field}: what one writes may undo what the"
                    " other wrote a moment before"
                )
    return ""


NUMBERS = ("I", "J", "S", "B")
"""Descriptors of whole numbers."""

WRITES = {"putfield", "putstatic"}


def list_accesses(side: Member, bodies: dict[Member, str]) -> dict[Member, set[str]]:
    """Return the fields that one side uses, with the instructions that do so."""
    used: dict[Member, set[str]] = {}
    for member in reach(side, bodies):
        for how, owner, field in ACCESS.findall(bodies[member]):
            used.setdefault((owner or member[0], field), set()).add(how)
    return used


def split_methods(part: str) -> dict[str, str]:
    """Return the byte code of each method of a class; overloads of a name are joined."""
    bodies: dict[str, str] = {}
    starts = list(METHOD.finditer(part))
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(part)
        bodies[start[1]] = bodies.get(start[1], "") + part[start.end() : end]
    return bodies


def reach(side: Member, bodies: dict[Member, str]) -> set[Member]:
    """Return the methods that one side calls, and the side itself.

    Constructors are left out, because no other thread has their object yet.
    """
    seen: set[Member] = set()
    waiting = [side]
    while waiting:
        member = waiting.pop()
        if member in bodies and member not in seen:
            seen.add(member)
            called = CALL.findall(bodies[member])
            waiting += [(owner or member[0], name) for owner, name in called]
    return seen
