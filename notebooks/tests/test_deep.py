"""Deep tests and their tools can be imported: only `--deep` runs them."""

from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(path for part in ("deep", "labs/deep") for path in (HERE / part).glob("[!_]*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_deep_file_can_be_imported(path):
    # A file that needs a browser skips itself where there is none.
    with suppress(pytest.skip.Exception):
        import_module(".".join(["tests", *path.relative_to(HERE).with_suffix("").parts]))
