"""Record and check the kernel's settings: idle states, parameters, mitigations, frequency.

None of it is part of the machine's identity: a new microcode leaves a run extendable.
"""

import os
import re
import subprocess
from collections.abc import Collection, Sequence
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


DEEP_US = 10
"""Exit latency above which an idle state is deep: it would be most of what P5, P6 and P9 measure,
whose consumers sleep. To wake a thread costs the kernel a few microseconds.
"""

PARAMETERS = re.compile(
    r"(?:cpufreq|cpuidle|haltpoll|intel_idle|processor)\..*|(?:amd|intel)_pstate|clocksource|idle"
    r"|(?:default_)?hugepagesz?|irqaffinity|isolcpus|kthread_cpus|maxcpus|mitigations|nohz"
    r"|nohz_full|nosmt|nr_cpus|numa_balancing|preempt|rcu_nocb_poll|rcu_nocbs|threadirqs"
    r"|transparent_hugepage|tsc"
)
"""Parameters that influence measurements; others may name the host, its disks or its network."""


def read_settings(cpus: Collection[int], root: Path = Path("/")) -> dict:
    """Return the settings for machine.json; `cpus` are the usable ones, None is unknown."""
    microcode = re.search(r"^microcode\s*:\s*(\S+)", read_text(root / "proc/cpuinfo"), re.MULTILINE)
    line = read_text(root / "proc/cmdline")
    parameters = [
        word
        for word in line.partition(" -- ")[0].split()
        if PARAMETERS.fullmatch(word.partition("=")[0].replace("-", "_"))
    ]
    reports = sorted((root / CPU / "vulnerabilities").glob("*"))
    return {
        "idle": find_deepest_idle(cpus, root),
        "irqbalance": find_irqbalance(root),
        "parameters": parameters if line else None,
        "mitigations": {file.name: read_text(file) for file in reports} or None,
        "microcode": microcode[1] if microcode else None,
        "remote_hits": find_remote_hits(root),
    }


REMOTE_HITS = re.compile(
    r"(?P<name>mem_load\w*_l(?:3|lc)_miss_retired\.remote_hitm"
    r"|ls_(?:any|dmnd)_fills_from_sys\.(?:far_cache|ext_cache_remote))"
    r"\s+\[[^\]]*\]\s+cpu/(?P<terms>[^/]*event=[^/]*)/"
)
"""perf's events of lines that another socket's cache had: modified ones (Intel), any (AMD).

`perf list --details` prints the name, a description in brackets, and the event's own terms.
"""

NAMED_EVENTS = ("perf", "list", "--details")
PERMITTED = 2
"""Largest kernel.perf_event_paranoid with which a user may count events of their own process."""


def find_remote_hits(root: Path = Path("/"), words: Sequence[str] = NAMED_EVENTS) -> dict:
    """Return `event`, perf's name, and its `number`, the jar's spelling; or only `missing`, why."""
    if not (root / "sys/bus/event_source/devices/cpu").exists():
        return {"missing": "no hardware counters of an Intel or AMD processor were found"}
    level = read_text(root / "proc/sys/kernel/perf_event_paranoid")
    if level.isdecimal() and int(level) > PERMITTED and os.geteuid() != 0:
        return {"missing": f"kernel.perf_event_paranoid is {level}, not {PERMITTED}"}
    try:
        listed = subprocess.run(words, capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return {"missing": "perf, which names the events, is not installed"}
    event = REMOTE_HITS.search(listed)
    if not event:
        return {"missing": "perf names no such event of this processor"}
    terms = dict(term.partition("=")[::2] for term in event["terms"].split(","))
    number, mask = (int(terms.get(key, "0"), 16) for key in ("event", "umask"))
    # Event numbers of twelve bits (AMD) are split: the upper four are bits 32 to 35.
    raw = (number & 0xFF) | mask << 8 | (number >> 8) << 32
    return {"event": event["name"], "number": f"4:{raw:#x}"}


def find_deepest_idle(cpus: Collection[int], root: Path) -> dict | None:
    """Return name and exit latency of the deepest idle state enabled on one of the CPUs."""
    states = [
        (int(latency), read_text(folder / "name"))
        for cpu in cpus
        for folder in sorted((root / CPU / f"cpu{cpu}/cpuidle").glob("state[0-9]*"))
        if (latency := read_text(folder / "latency")).isdecimal()
        and read_text(folder / "disable") in ("", "0")
    ]
    if not states:
        return None
    exit_us, name = max(states)
    return {"state": name, "exit_us": exit_us}


def find_irqbalance(root: Path) -> bool | None:
    """Check whether irqbalance runs; None in a container, which does not see the host's."""
    if any(read_text(f) == "irqbalance" for f in (root / "proc").glob("[0-9]*/comm")):
        return True
    # Process 2 of the host is the kernel's own.
    return False if read_text(root / "proc/2/comm") == "kthreadd" else None


def check_kernel_settings(cpus: Collection[int], root: Path) -> list[Finding]:
    settings = read_settings(cpus, root)
    return [
        check_idle(settings["idle"]),
        check_irqbalance(settings["irqbalance"]),
        describe_kernel(settings, root),
    ]


def check_idle(deepest: dict | None) -> Finding:
    if deepest is None:
        missing = "how deeply idle CPUs sleep (common in virtual machines)"
        return make_unknown("idle states", missing)
    text = f"Idle CPUs sleep as deeply as {deepest['state']}, and wake in {deepest['exit_us']} µs"
    if deepest["exit_us"] <= DEEP_US:
        return Finding("idle states", True, text + ".")
    harm = ": a consumer that sleeps may wake that much later."
    return Finding("idle states", False, text + harm, f"cpupower idle-set -D {DEEP_US + 1}")


def check_irqbalance(runs: bool | None) -> Finding:
    if runs is None:
        return make_unknown("interrupts", "whether irqbalance runs")
    text = "runs: it moves interrupts to other CPUs at any time" if runs else "does not run"
    advice = "systemctl stop irqbalance" if runs else ""
    return Finding("interrupts", not runs, f"irqbalance {text}.", advice)


def describe_kernel(settings: dict, root: Path) -> Finding:
    """State what may change while a run is measured, because each start notes the findings."""
    parameters = settings["parameters"]
    chosen = "unknown" if parameters is None else " ".join(parameters) or "none"
    pages = re.search(r"\[(\w+)\]", read_text(root / "sys/kernel/mm/transparent_hugepage/enabled"))
    text = (
        f"Microcode {settings['microcode'] or 'unknown'}; transparent huge pages:"
        f" {pages[1] if pages else 'none'}; kernel parameters that influence measurements:"
        f" {chosen}."
    )
    return Finding("kernel", None, text)


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
