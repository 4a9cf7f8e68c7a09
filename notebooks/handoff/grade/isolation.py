"""Work on what a stranger made, in a process of its own with little memory and time: whatever it
does to that process, the others are graded.
"""

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from handoff.errors import BadInput

T = TypeVar("T")
LIMIT_S, MEMORY = 300.0, 8 * 2**30
FORK = multiprocessing.get_context("fork")


def run_apart(work: Callable[..., T], *given: Any) -> T:
    """What `work` returns. BadInput where it raises that, takes too long, or takes too much."""
    near, far = FORK.Pipe(duplex=False)
    child = FORK.Process(target=answer, args=(far, work, given), daemon=False)
    child.start()
    far.close()
    try:
        if not near.poll(LIMIT_S):
            raise BadInput(f"it was not graded within {LIMIT_S:.0f} s.")
        kind, result = near.recv()
    except (EOFError, OSError):
        raise BadInput("it took more memory than there is, or broke the grader.") from None
    finally:
        child.kill()
        child.join()
        near.close()
    if kind is BadInput:
        raise BadInput(result)
    return result


def answer(far: Connection, work: Callable[..., Any], given: tuple) -> None:
    """In the child: the result, or the sentence of what is wrong."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    # Soft: a JVM that it starts may reserve more.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
    try:
        far.send((None, work(*given)))
    except BadInput as refused:
        far.send((BadInput, str(refused)))
    except Exception as wrong:
        # What a stranger's file may hold has no end; the teacher must see it, and go on.
        far.send((BadInput, f"it could not be graded ({type(wrong).__name__}: {wrong})."))
