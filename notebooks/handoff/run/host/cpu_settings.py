"""Check what the kernel says about the CPUs: frequency, siblings and isolation."""

from pathlib import Path
from typing import NamedTuple

from handoff.run.host.kernel_files import read_text

CPU = "sys/devices/system/cpu"


class Finding(NamedTuple):
    """One fact about the machine's readiness.

    `ready` False makes `--strict` refuse; None is a fact without a verdict. `advice` is a command
    to run as root, or ''.
    """

    what: str
    ready: bool | None
    sentence: str
    advice: str = ""


def check_governor(root: Path) -> Finding:
    kinds = {read_text(f).strip() for f in (root / CPU).glob("cpu[0-9]*/cpufreq/scaling_governor")}
    if not kinds:
        return Finding(
            "governor",
            None,
            "The kernel does not say which governor sets the CPUs' frequency (common in virtual"
            " machines).",
        )
    text = f"The CPU frequency governor is {' and '.join(sorted(kinds))}"
    if kinds == {"performance"}:
        return Finding("governor", True, text + ".")
    return Finding(
        "governor",
        False,
        text + ": the frequency follows the load, so short shots run slower.",
        "cpupower frequency-set -g performance",
    )


def check_turbo(root: Path) -> Finding:
    intel, other = (
        read_text(root / CPU / "intel_pstate/no_turbo").strip(),
        read_text(root / CPU / "cpufreq/boost").strip(),
    )
    if not intel and not other:
        return Finding("turbo", None, "The kernel does not say whether frequency boost is on.")
    if intel == "1" or other == "0":
        return Finding("turbo", True, "Frequency boost is off.")
    advice = (
        f"echo {'1' if intel else '0'} >"
        f" /{CPU}/{'intel_pstate/no_turbo' if intel else 'cpufreq/boost'}"
    )
    return Finding(
        "turbo",
        False,
        "Frequency boost is on: few busy cores run faster than many, which favours few consumers.",
        advice,
    )


def check_siblings(root: Path) -> Finding:
    active = read_text(root / CPU / "smt/active").strip()
    if active == "1":
        text = (
            "SMT is on: threads run on one sibling of each core, but other processes may"
            " use the other."
        )
        return Finding("smt", None, text, f"echo off > /{CPU}/smt/control")
    return Finding(
        "smt",
        None,
        "SMT is off." if active == "0" else "The kernel does not say whether SMT is on.",
    )


def check_isolation(root: Path) -> Finding | None:
    """Report CPUs that the kernel keeps free of other work, which are the quietest."""
    isolated, tickless = (
        text if (text := read_text(root / CPU / name).strip()) and "(" not in text else ""
        for name in ("isolated", "nohz_full")
    )
    if not isolated and not tickless:
        return None
    parts = [f"isolates CPUs {isolated}" if isolated else "isolates no CPU"]
    parts += [f"stops the timer tick on CPUs {tickless}"] if tickless else []
    use = " The placement ISOLATED uses them." if isolated else ""
    return Finding("isolation", None, f"The kernel {' and '.join(parts)}.{use}")
