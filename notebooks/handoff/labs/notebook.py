"""What labs add to a notebook: a line that changes while one measures, and `%%answer`."""

from typing import Any

from handoff.labs import answers, measuring
from handoff.labs.work import Work
from handoff.paths import display_path


def find_shell() -> Any:
    """The notebook's shell; None in a terminal."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def make_display() -> measuring.Tell:
    """In a notebook a line that changes; in a terminal a line each."""
    if find_shell() is None:
        return measuring.tell_plainly
    from IPython.display import display

    handles: list[Any] = []

    def tell(line: str, again: bool) -> None:
        shown = {"text/plain": line}
        if not again:
            print(line, flush=True)
        elif handles:
            handles[0].update(shown, raw=True)
        else:
            handles.append(display(shown, raw=True, display_id=True))

    return tell


def register_magic(work: Work) -> None:
    """`%%answer NAME`: the cell's own text becomes the answer's file; a function can then be called
    in the notebook too.
    """
    shell = find_shell()
    if shell is None:
        return

    def answer(line: str, cell: str) -> None:
        file = work.write_answer(line.strip(), cell)
        if file.suffix == ".py":
            shell.run_cell(cell)
        elif file.suffix == ".yml":
            # A mistake is said now, not when it is graded.
            answers.parse_numbers(cell, line.strip())
        print(f"Written: {display_path(file)}")

    shell.register_magic_function(answer, magic_kind="cell", magic_name="answer")
