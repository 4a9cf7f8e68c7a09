"""What the kernel says of the CPUs: how their frequency is governed, siblings, isolation."""

from pathlib import Path
from typing import NamedTuple

from handoff.run.host.machine import read_text

CPU = "sys/devices/system/cpu"


class Finding(NamedTuple):
    """`ready` False makes `--strict` refuse, None is a fact without a verdict; `advice` is a
    command for root, or ''.
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
            "The kernel does not tell how the CPUs' frequency is governed (often so in virtual"
            " machines).",
        )
    text = f"The CPUs' frequency is governed by {' and '.join(sorted(kinds))}"
    if kinds == {"performance"}:
        return Finding("governor", True, text + ".")
    return Finding(
        "governor",
        False,
        text + ": it follows the load, so short shots run slower.",
        "cpupower frequency-set -g performance",
    )


def check_turbo(root: Path) -> Finding:
    intel, other = (
        read_text(root / CPU / "intel_pstate/no_turbo").strip(),
        read_text(root / CPU / "cpufreq/boost").strip(),
    )
    if not intel and not other:
        return Finding(
            "turbo", None, "The kernel does not tell whether the CPUs may boost their frequency."
        )
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
            "SMT is on: threads are placed on one sibling of each core, but other processes may use"
            " the second."
        )
        return Finding("smt", None, text, f"echo off > /{CPU}/smt/control")
    return Finding(
        "smt",
        None,
        "SMT is off." if active == "0" else "The kernel does not tell whether SMT is on.",
    )


def check_isolation(root: Path) -> Finding | None:
    """CPUs that the kernel was told to leave alone are the quietest there are."""
    isolated, tickless = (
        text if (text := read_text(root / CPU / name).strip()) and "(" not in text else ""
        for name in ("isolated", "nohz_full")
    )
    if not isolated and not tickless:
        return None
    told = [f"isolated are CPUs {isolated}" if isolated else "no CPU is isolated"]
    told += [f"without a timer's ticks {tickless}"] if tickless else []
    use = " The placement ISOLATED puts threads there." if isolated else ""
    return Finding("isolation", None, f"Of the kernel: {', '.join(told)}.{use}")
