"""The rates in docs/ci.md follow from the stored forks."""

from handoff.paths import DOCS
from tests.deep.gate_rates import format_table


def test_the_table_of_rates_is_current():
    assert "\n".join(format_table()) in (DOCS / "ci.md").read_text()
