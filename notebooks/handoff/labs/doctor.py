"""What a machine can judge, before a class."""

from handoff.run.host import machine, readiness
from handoff.run.java import jar, jdk
from handoff.run.plan.sweep import Forks, Sweep

PAIR_CORES, PAPER_CORES = 2, 12


def describe_machine() -> list[str]:
    """Sentences: what it is, what it can judge, what is in the way."""
    java = jdk.find_jdk()
    here = machine.describe_machine(jar.query_topology(java))
    cores = machine.count_usable_cores(here)
    lines = [machine.summarize_machine(here) + ".", describe_cores(cores)]
    if here["topology"].get("quota"):
        lines.append("A CPU quota: labs measure nothing here; shipped forks can be read.")
    if here["topology"]["virtual"]:
        lines.append(
            "A virtual machine: its host may move or stop its CPUs; take more forks, and"
            " expect wider intervals."
        )
    sweep = Sweep(about="a lab", forks=Forks(fitting=1), studies={})
    found = readiness.list_findings(sweep)
    return lines + [f"Not ready: {each.sentence}" for each in found if each.ready is False]


def describe_cores(cores: int) -> str:
    if cores < PAIR_CORES:
        return "1 core: both threads would share it, so no lab has anything to compare."
    if cores < PAPER_CORES:
        return f"{cores} cores: enough for every lab; the paper's claims on 11 consumers take 12."
    return f"{cores} cores: enough for every lab, and for every number of consumers of the paper."
