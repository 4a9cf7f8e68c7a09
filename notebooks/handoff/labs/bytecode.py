"""What the byte code of a student's own class shows, as javap tells it: what it is made of, and
which fields its two sides share.
"""

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
"""What a ring of one's own is made of. Queues, locks and executors of the JDK are not among it."""


def split_classes(listed: str) -> dict[str, str]:
    """What is said of each class, by its name."""
    found = {}
    for part in re.split(r"^Classfile ", listed, flags=re.MULTILINE)[1:]:
        name = re.search(r"^  this_class: #\d+ +// (\S+)$", part, re.MULTILINE)
        found[name[1] if name else part[:80]] = part
    return found


def describe_strangers(listed: str) -> str:
    """Classes that it may not use, or native methods; '' if none."""
    named = re.findall(r"= Class +#\d+ +// \"?([^\"\s]+)\"?$", listed, re.MULTILINE)
    strange = sorted({name for name in named if not ALLOWED.fullmatch(name)})
    if strange:
        return f"it uses {strange[0].replace('/', '.')}, which is not allowed"
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
    """A field that the two sides of the class `name` share in a way that cannot be right: its name,
    and why; '' if none. Fields that only one side touches are that side's own.
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
            ways = [own.get((owner, field), set()) for own in used]
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
    """The fields that one side uses, with how: getfield, putfield, getstatic, putstatic."""
    used: dict[Member, set[str]] = {}
    for member in reach(side, bodies):
        for how, owner, field in ACCESS.findall(bodies[member]):
            used.setdefault((owner or member[0], field), set()).add(how)
    return used


def split_methods(part: str) -> dict[str, str]:
    """The byte code of each method of a class, by name; of several of one name all of it."""
    found: dict[str, str] = {}
    starts = list(METHOD.finditer(part))
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(part)
        found[start[1]] = found.get(start[1], "") + part[start.end() : end]
    return found


def reach(side: Member, bodies: dict[Member, str]) -> set[Member]:
    """The methods that one side calls, itself among them; not constructors, whose object no other
    thread has yet.
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
