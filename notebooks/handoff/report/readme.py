"""README's results: five sentences from the verdicts of the shipped run."""

import re

from handoff.claims.report import ClaimsReport
from handoff.errors import Failure
from handoff.files import write_text
from handoff.paths import ROOT
from handoff.registry import find_primary
from handoff.report.claim_rows import tabulate_claims
from handoff.report.findings import list_findings
from handoff.run.store.run import Run

README = ROOT / "README.md"
RESULTS = ("P1", "P3", "P8", "P11", "P6")
"""Claims whose findings README has."""

BLOCK = re.compile(r"(<!-- results: [^>]*-->\n).*?(<!-- end -->)", re.DOTALL)


def write_results(run: Run) -> None:
    """Write the results of the run into README, between their two comments."""
    text, found = BLOCK.subn(
        lambda match: match[1] + format_results(run) + match[2], README.read_text(encoding="utf-8")
    )
    if found != 1:
        raise Failure("README.md has no place for results: a comment 'results:', and 'end'.")
    write_text(README, text)


def format_results(run: Run) -> str:
    """Return one line per result; a point is a number of consumers."""
    study = find_primary().name
    rows = {row["claim"]: row for row in tabulate_claims(ClaimsReport(run, study), study)}
    chosen = [rows[claim] for claim in RESULTS if claim in rows]
    return "".join(f"- {sentence}\n" for sentence in list_findings(chosen))
