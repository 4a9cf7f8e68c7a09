"""Settings of the kernel: recorded outside the machine's identity, and checked."""

import os

import pytest

from handoff.run.host import machine
from handoff.run.host.kernel_files import CPU
from handoff.run.host.kernel_settings import find_remote_hits, read_settings

USABLE = {0, 1}
COUNTERS = {"sys/bus/event_source/devices/cpu/type": "4\n"}
CMDLINE = (
    "BOOT_IMAGE=/vmlinuz root=UUID=12-34 ip=10.0.0.7::gw:host7:eth0 hostname=host7 ro quiet"
    " isolcpus=managed_irq,2-5 nohz_full=2-5 numa-balancing=disable processor.max_cstate=1"
    " intel_idle.max_cstate=0 idlehost=x mitigations=off -- idle=poll"
)


def idle(cpu, state, name, latency, disabled="0"):
    """Return the files of one idle state."""
    folder = f"{CPU}/cpu{cpu}/cpuidle/state{state}"
    texts = {"name": name, "latency": latency, "disable": disabled}
    return {f"{folder}/{file}": f"{text}\n" for file, text in texts.items()}


def test_a_kernel_that_says_nothing_leaves_settings_unknown(tmp_path):
    missing = "no hardware counters of an Intel or AMD processor were found"
    unknown = dict.fromkeys(read_settings(USABLE, tmp_path)) | {"remote_hits": {"missing": missing}}
    assert read_settings(USABLE, tmp_path) == unknown


def test_the_deepest_enabled_idle_state_of_the_usable_cpus_counts(files):
    root = files(
        **idle(0, 0, "POLL", 0),
        **idle(0, 1, "C1E", 10),
        **idle(1, 1, "C6", 133),
        **idle(1, 2, "C10", 890, disabled="1"),
        **idle(2, 1, "C8", 600),
    )
    assert read_settings(USABLE, root)["idle"] == {"state": "C6", "exit_us": 133}


def test_parameters_that_may_name_the_host_are_left_out(files):
    assert read_settings(USABLE, files(**{"proc/cmdline": CMDLINE}))["parameters"] == [
        "isolcpus=managed_irq,2-5",
        "nohz_full=2-5",
        "numa-balancing=disable",
        "processor.max_cstate=1",
        "intel_idle.max_cstate=0",
        "mitigations=off",
    ]


def test_microcode_and_mitigations_are_recorded(files):
    root = files(
        **{
            "proc/cpuinfo": "model name\t: Xeon\nmicrocode\t: 0xb000040\n",
            f"{CPU}/vulnerabilities/mds": "Vulnerable; SMT disabled\n",
            f"{CPU}/vulnerabilities/meltdown": "Mitigation: PTI\n",
        }
    )
    settings = read_settings(USABLE, root)
    reports = {"mds": "Vulnerable; SMT disabled", "meltdown": "Mitigation: PTI"}
    assert (settings["microcode"], settings["mitigations"]) == ("0xb000040", reports)


def test_a_description_without_settings_has_the_same_id():
    described = {"cpu": "Xeon", "memory_gib": 64}
    settings = {"settings": {"microcode": "0x1"}}
    assert machine.identify_machine(described)["id"] == "bb693d58"
    assert machine.identify_machine(described | settings)["id"] == "bb693d58"


INTEL = """
  mem_load_l3_miss_retired.remote_hitm
       [Retired load instructions whose data sources was remote HITM. Supports
        address when precise]
        cpu/event=0xd3,period=100007,umask=0x4/
"""
AMD = """
  ls_any_fills_from_sys.ext_cache_local
       [Any data cache fills from another cache in the same NUMA node]
        cpu/event=0x44,umask=0x4/
  ls_any_fills_from_sys.ext_cache_remote
       [Any data cache fills from a cache in a different NUMA node]
        cpu/event=0x44,umask=0x10/
"""


HITM, REMOTE = "mem_load_l3_miss_retired.remote_hitm", "ls_any_fills_from_sys.ext_cache_remote"
NO_EVENT = {"missing": "perf names no such event of this processor"}
# On a hybrid processor the event has another unit; the next event's terms are not its.
HYBRID = INTEL.replace("cpu/", "cpu_core/") + AMD.replace("ext_", "own_")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["printf", "%s", INTEL], {"event": HITM, "number": "4:0x4d3"}),
        (["printf", "%s", AMD], {"event": REMOTE, "number": "4:0x1044"}),
        (["printf", "cache-misses"], NO_EVENT),
        (["printf", "%s", HYBRID], NO_EVENT),
        (["/nowhere/perf"], {"missing": "perf, which names the events, is not installed"}),
    ],
)
def test_the_event_of_another_sockets_lines_is_what_perf_names(files, words, found):
    assert find_remote_hits(files(**COUNTERS), words) == found


def test_a_kernel_that_lets_users_count_nothing_is_named(files, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    root = files(**COUNTERS, **{"proc/sys/kernel/perf_event_paranoid": "4\n"})
    assert find_remote_hits(root) == {"missing": "kernel.perf_event_paranoid is 4, not 2"}
