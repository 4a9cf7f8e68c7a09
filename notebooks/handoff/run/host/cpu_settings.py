"""Check what the kernel says about the CPUs: frequency, siblings and isolation."""

from pathlib import Path
from typing import NamedTuple

from handoff.run.host.kernel_files import CPU, read_text


class Finding(NamedTuple):
    """One fact about the machine's readiness, and a command to run as root, or ''.

    `ready` False makes `--strict` refuse; None is a fact without a verdict.
    """

    what: str
    ready: bool | None
    sentence: str
    advice: str = ""


def make_unknown(what: str, missing: str) -> Finding:
    return Finding(what, None, f"The kernel does not say {missing}.")


def check_governor(root: Path) -> Finding:
    kinds = {read_text(f) for f in (root / CPU).glob("cpu[0-9]*/cpufreq/scaling_governor")}
    if not kinds:
        missing = "which governor sets the CPUs' frequency (common in virtual machines)"
        return make_unknown("governor", missing)
    text = f"The CPU frequency governor is {' and '.join(sorted(kinds))}"
    if kinds == {"performance"}:
        return Finding("governor", True, text + ".")
    harm = ": the frequency follows the load, so short shots run slower."
    return Finding("governor", False, text + harm, "cpupower frequency-set -g performance")


BOOST_OFF = {"intel_pstate/no_turbo": "1", "cpufreq/boost": "0"}
"""Files that control frequency boost, and their content when it is off."""


def check_turbo(root: Path) -> Finding:
    states = {name: state for name in BOOST_OFF if (state := read_text(root / CPU / name))}
    if not states:
        return make_unknown("turbo", "whether frequency boost is on")
    if any(state == BOOST_OFF[name] for name, state in states.items()):
        return Finding("turbo", True, "Frequency boost is off.")
    name = next(iter(states))
    harm = "few busy cores run faster than many, which favours few consumers"
    text = f"Frequency boost is on: {harm}."
    return Finding("turbo", False, text, f"echo {BOOST_OFF[name]} > /{CPU}/{name}")


def check_siblings(root: Path) -> Finding:
    match read_text(root / CPU / "smt/active"):
        case "0":
            return Finding("smt", None, "SMT is off.")
        case "1":
            text = (
                "SMT is on: threads run on one sibling of each core, but other processes may"
                " use the other."
            )
            return Finding("smt", None, text, f"echo off > /{CPU}/smt/control")
    return make_unknown("smt", "whether SMT is on")


def check_isolation(root: Path) -> Finding | None:
    """Report CPUs that the kernel keeps free of other work, which are the quietest."""
    isolated, tickless = (
        text if "(" not in (text := read_text(root / CPU / name)) else ""
        for name in ("isolated", "nohz_full")
    )
    if not isolated and not tickless:
        return None
    parts = [f"isolates CPUs {isolated}" if isolated else "isolates no CPU"]
    parts += [f"stops the timer tick on CPUs {tickless}"] if tickless else []
    use = " The placement ISOLATED uses them." if isolated else ""
    return Finding("isolation", None, f"The kernel {' and '.join(parts)}.{use}")
