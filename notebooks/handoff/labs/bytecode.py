"""Rules for a student's class that javap's output shows: types it may use, fields it may share."""

import re

NAME, MODEL_NAME = "MyExchange", "QueueCheck"

PLAIN = r"""
        java/lang/(Object|String|StringBuilder|Boolean|Byte|Character|Short|Integer|Long|Float
            |Double|Number|Math|Throwable|Record|Enum|Iterable|Comparable|Runnable
            |\w*(Exception|Error)|Class|invoke/MethodHandles(\$Lookup)?
            |invoke/(StringConcatFactory|LambdaMetafactory)|runtime/ObjectMethods)
        |java/util/(Objects|Arrays|NoSuchElementException)
        |[BCDFIJSZ]
"""
"""Types that the compiler needs, or that cannot reach anything else."""


def allow(types: str) -> re.Pattern[str]:
    return re.compile(rf"\[* L? ({PLAIN} {types}) ;?", re.VERBOSE)


OWN_CLASS = allow(
    r"""|java/lang/Thread|java/lang/invoke/VarHandle|java/util/concurrent/atomic/\w+
    |java/util/concurrent/locks/LockSupport|handoff/mechanism/Exchange|MyExchange(\$\w+)?"""
)
"""Types for a student's ring: not the JDK's queues, locks and executors."""

MODEL = allow(
    r"""|java/util/(Abstract\w+|Array(List|Deque)|Collections?|Deque|Queue|List|LinkedList
        |(Linked)?Hash(Map|Set)|Tree(Map|Set)|PriorityQueue|Map(\$Entry)?|Set|Iterator|Optional)
    |java/util/function/\w+|handoff/queues/(BoundedQueue|Subject)|QueueCheck(\$\w+)?
    |org/jetbrains/lincheck/datastructures/\w+"""
)
"""Types for a student's model of a queue: no reflection, by which it could see what it tests."""

MEMBERS = {
    "java/lang/Class": {"desiredAssertionStatus"},
    "java/lang/invoke/MethodHandles": {"lookup", "arrayElementVarHandle"},
    "java/lang/invoke/MethodHandles$Lookup": {"findVarHandle"},
    "java/lang/Thread": {"onSpinWait", "yield", "sleep", "currentThread"}
    | {"interrupt", "interrupted", "isInterrupted"},
    "handoff/queues/Subject": {"open"},
}
"""The only members of these types that may be used."""


def split_classes(listed: str) -> dict[str, str]:
    """Split javap's output into one part per class, by class name."""
    parts = {}
    for part in re.split(r"^Classfile ", listed, flags=re.MULTILINE)[1:]:
        name = re.search(r"^  this_class: #\d+ +// (\S+)$", part, re.MULTILINE)
        parts[name[1] if name else part[:80]] = part
    return parts


POOL = re.compile(r"= (?:Interface)?(?:Method|Field)ref +#\S+ +// \"?([^\".]+)\"?\.\"?([^\":]+)")
LOCKS = ("monitorenter", "ACC_SYNCHRONIZED")
NO_LOCKS = (
    "it uses synchronized: a lock would make your class correct, and every field visible, but"
    " this lab is about doing without; use volatile or atomic fields"
)


def describe_strangers(listed: str, types: re.Pattern[str] = OWN_CLASS) -> str:
    """Return what a class uses and may not, or ''."""
    if any(word in listed for word in LOCKS):
        return NO_LOCKS
    named = re.findall(r"= Class +#\d+ +// \"?([^\"\s]+)\"?$", listed, re.MULTILINE)
    forbidden = {name for name in named if not types.fullmatch(name)}
    forbidden |= {
        f"{owner}.{member}"
        for owner, member in POOL.findall(listed)
        if member not in MEMBERS.get(owner, {member})
    }
    if forbidden:
        return f"it uses {min(forbidden).replace('/', '.')}, which is not allowed in this lab"
    return ""


FIELD = re.compile(r"^  ([a-zA-Z ]*?)[\w.$\[\]<>?]+ (\w+);$\n    descriptor: (\S+)", re.MULTILINE)
METHOD = re.compile(r"^  [^\n(]*?(\w+)\([^\n]*;$\n    descriptor:", re.MULTILINE)
ACCESS = re.compile(r"((?:get|put)(?:field|static)) +#\d+ +// Field (?:([\w$]+)\.)?(\w+):")
CALL = re.compile(r"invoke\w+ +#\d+(?:, +\d+)? +// (?:Interface)?Method (?:([\w$]+)\.)?(\w+):")

Member = tuple[str, str]
"""A class, and a field or method of it."""


def describe_fields(listed: str, name: str = NAME, sides: tuple[str, str] = ("put", "take")) -> str:
    """Return a field that the two sides of a class share wrongly, and why; or ''.

    Fields that only one side uses are free of rules.
    """
    classes = split_classes(listed)
    bodies: dict[Member, str] = {}
    for owner, part in classes.items():
        _, *words = METHOD.split(part)
        for method, body in zip(words[::2], words[1::2], strict=True):
            # Overloads of a name are joined.
            bodies[owner, method] = bodies.get((owner, method), "") + body
    used = [list_accesses((name, side), bodies) for side in sides]
    both = " and ".join(sides)
    for owner, part in classes.items():
        for modifiers, field, descriptor in FIELD.findall(part):
            ways = [accesses.get((owner, field), set()) for accesses in used]
            if not all(ways):
                continue
            if not {"final", "volatile"} & set(modifiers.split()):
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
    """Return the fields that one side and the methods it calls use, with the instructions for it.

    Constructors are left out, because no other thread has their object yet.
    """
    used: dict[Member, set[str]] = {}
    seen, waiting = set[Member](), [side]
    while waiting:
        member = waiting.pop()
        if member in seen or member not in bodies:
            continue
        seen.add(member)
        for how, owner, field in ACCESS.findall(bodies[member]):
            used.setdefault((owner or member[0], field), set()).add(how)
        called = CALL.findall(bodies[member])
        waiting += [(owner or member[0], name) for owner, name in called]
    return used
