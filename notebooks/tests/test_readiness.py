"""Settings and readiness of machines, from simulated kernel files, and disturbances of forks."""

import os

import pytest

from handoff.run.host import machine, readiness
from handoff.run.host.kernel_files import CPU, NODE, read_quotas
from handoff.run.host.kernel_settings import find_remote_hits, read_settings
from handoff.run.plan.settings import Quiet
from handoff.run.plan.sweep import load_sweep
from handoff.run.store import disturbance
from handoff.run.store.forkfile import ForkFile


@pytest.fixture
def sweep(sweep_file):
    """Return a sweep whose JVMs take 1 GiB."""
    return load_sweep(sweep_file(top="jvm: {heap: 1g}"))


def read_findings(root, sweep, busy=0.0):
    return {finding.what: finding for finding in readiness.list_findings(sweep, root, busy)}


USED = f"{CPU}/cpu{min(os.sched_getaffinity(0))}"
GOVERNOR, SLEEP = f"{CPU}/cpu0/cpufreq/scaling_governor", f"{USED}/cpuidle/state1/latency"
TURBO, BOOST = f"{CPU}/intel_pstate/no_turbo", f"{CPU}/cpufreq/boost"
PERFORMANCE, STOP = "cpupower frequency-set -g performance", "systemctl stop irqbalance"
IRQBALANCE, KERNEL = "proc/71/comm", "proc/2/comm"


@pytest.mark.parametrize(
    ("file", "content", "what", "is_ready", "sentence", "advice"),
    [
        (GOVERNOR, "powersave", "governor", False, "governor is powersave", PERFORMANCE),
        (GOVERNOR, "performance", "governor", True, "performance.", ""),
        (TURBO, "0", "turbo", False, "boost is on", f"echo 1 > /{TURBO}"),
        (TURBO, "1", "turbo", True, "boost is off", ""),
        (BOOST, "1", "turbo", False, "boost is on", f"echo 0 > /{BOOST}"),
        (SLEEP, "10", "idle states", True, "wake in 10 µs.", ""),
        (SLEEP, "11", "idle states", False, "wake in 11 µs: ", "cpupower idle-set -D 11"),
        (IRQBALANCE, "irqbalance", "interrupts", False, "irqbalance runs: ", STOP),
        (KERNEL, "kthreadd", "interrupts", True, "irqbalance does not run.", ""),
        (KERNEL, "sleep", "interrupts", None, "does not say whether irqbalance runs.", ""),
    ],
)
def test_a_setting_is_judged_with_advice_for_root(
    files, sweep, file, content, what, is_ready, sentence, advice
):
    finding = read_findings(files(**{file: content + "\n"}), sweep)[what]
    assert finding.ready is is_ready and sentence in finding.sentence and finding.advice == advice


CROWDED = {
    "proc/meminfo": ("MemTotal: 9000000 kB\nMemAvailable: 1000000 kB\n"),
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
    "sys/fs/cgroup/cpu.max": "150000 100000\n",
    "proc/sys/kernel/numa_balancing": "1\n",
    f"{NODE}/node0/cpulist": "0\n",
    f"{NODE}/node1/cpulist": "1\n",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "proc/cpuinfo": "model name\t: Xeon\nmicrocode\t: 0xb000040\n",
    "proc/cmdline": "ro quiet\n",
}


def test_memory_clock_container_and_nodes_are_judged(files, sweep):
    findings = read_findings(files(**CROWDED), sweep, busy=3.0)
    unready = {what for what, finding in findings.items() if finding.ready is False}
    assert unready == {"memory", "clock", "container", "NUMA balancing", "load"}
    assert "quota of 1.5 CPUs" in findings["container"].sentence
    assert findings["kernel"].sentence == (
        "Microcode 0xb000040; transparent huge pages: madvise; kernel parameters that influence"
        " measurements: none."
    )


VERSION_1 = {
    "proc/self/cgroup": "4:cpu,cpuacct:/a\n",
    "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "50000\n",
    "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "0\n",
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "300000\n",
    "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
}
WITH_NUL = {"proc/self/cgroup": "0::/a\0\n", "sys/fs/cgroup/a/cpu.max": "100000 100000\n"}


@pytest.mark.parametrize(
    ("contents", "quotas"),
    [
        ({"sys/fs/cgroup/cpu.max": "0 0"}, []),
        ({"sys/fs/cgroup/cpu.max": "5 0"}, []),
        ({"sys/fs/cgroup/cpu.max": "0 100000"}, []),
        (VERSION_1, [3.0]),
        (WITH_NUL, [1.0]),
    ],
)
def test_quotas_and_periods_of_zero_and_nul_bytes_do_not_count(files, contents, quotas):
    assert read_quotas(files(**contents)) == quotas


def test_a_kernel_without_information_is_unknown_and_not_unready(tmp_path, sweep):
    findings = read_findings(tmp_path, sweep)
    assert {"idle states", "interrupts", "kernel"} <= findings.keys()
    assert all(finding.ready is not False for finding in findings.values())


def test_the_current_load_counts_and_not_that_of_the_last_minute(monkeypatch):
    """A CPU is busy for 0.3 s of half a second; steal does not count as busy."""
    stats = iter(
        f"cpu0 {10 * user} 0 {20 * user} {idle} 0 0 0 {900 * user}\n"
        for user, idle in ((1, 0), (2, 7))
    )
    monkeypatch.setattr(readiness, "read_text", lambda _: next(stats))
    monkeypatch.setattr(readiness.os, "sched_getaffinity", lambda _: {0})
    monkeypatch.setattr(readiness.time, "sleep", lambda _: None)
    busy = readiness.measure_busy()
    assert busy == pytest.approx(30 / os.sysconf("SC_CLK_TCK") / readiness.LOOK_S)
    assert readiness.check_load(busy).ready is False
    assert readiness.check_load(0.1).ready is True and readiness.check_load(None).ready is None


STAT = """cpu  900 0 0 0 0 0 0 0
cpu0 100 0 200 300 0 0 0 7
cpu1 1 1 1 1 1 1 1 1
cpu10 50 0 0 0 0 0 0 0
"""


def test_cpu_seconds_are_those_of_the_allowed_cpus_and_unknown_where_one_is_not_listed():
    seconds = machine.sum_cpu_seconds(STAT, {0, 10})
    kinds = ("user", "system", "idle", "steal")
    assert [seconds[kind] for kind in kinds] == [1.5, 2.0, 3.0, 0.07]
    for stat, cpus in (("cpu0 1 1 1 1 1 1 1 1\n", {0, 1}), ("", {0})):
        assert set(machine.sum_cpu_seconds(stat, cpus).values()) == {None}


HEAT = f"{CPU}/cpu%d/thermal_throttle/%s_throttle_count"
SLOWED = {
    HEAT % (0, "core"): "3\n",
    HEAT % (1, "core"): "4\n",
    HEAT % (0, "package"): "1\n",
    "proc/self/cgroup": "0::/a/b\n",
    "sys/fs/cgroup/a/b/cpu.stat": "usage_usec 1\nnr_throttled 5\n",
    "sys/fs/cgroup/a/cpu.stat": "nr_throttled 2\n",
    "proc/pressure/cpu": "some avg10=0.00 avg300=0.00 total=2500000\nfull avg10=0 total=9\n",
    f"{CPU}/cpu0/cpufreq/scaling_cur_freq": "2400000\n",
    f"{CPU}/cpu1/cpufreq/scaling_cur_freq": "3600000\n",
}


@pytest.mark.parametrize(
    ("contents", "throttled", "pressure_s", "mhz"),
    [
        (SLOWED, {"heat": 8, "quota": 7}, 2.5, [2400, 3600]),
        ({}, {"heat": None, "quota": None}, None, None),
    ],
)
def test_throttling_is_counted_by_cause(files, contents, throttled, pressure_s, mhz):
    snapshot = machine.take_snapshot([0, 1], files(**contents))
    assert snapshot["throttled"] == throttled
    assert (snapshot["pressure_s"], snapshot["mhz"]) == (pressure_s, mhz)


def around(golden, **changes):
    """Return the golden fork, of one second, with other counters after it."""
    before = golden["before"] | {"pressure_s": 1.0, "throttled": {"heat": 1, "quota": None}}
    cpu_s = dict.fromkeys(before["cpu_s"], 10.0)
    after = before | {"cpu_s": cpu_s | changes.pop("cpu_s", {}), **changes}
    spans = {"before": before | {"cpu_s": cpu_s}, "after": after, "seconds": 1.0, "used_s": 1.5}
    return ForkFile.model_validate(golden | spans)


BUSY = {"cpu_s": {"user": 11.5, "system": 10.5}}
STOLEN = {"cpu_s": {"steal": 10.2}}
HOT = {"throttled": {"heat": 3, "quota": None}}


@pytest.mark.parametrize(
    ("changes", "quiet", "expected"),
    [
        ({}, {}, []),
        ({"cpu_s": {"user": 11.5}}, {}, []),
        (BUSY, {}, ["others used 0.50 cores"]),
        (BUSY, {"others": 0.6}, []),
        ({"cpu_s": {"idle": 99.0, "iowait": 99.0}}, {}, []),
        (STOLEN, {}, ["the hypervisor took 0.20 cores"]),
        (STOLEN, {"steal": 0.3}, []),
        ({"pressure_s": 1.7}, {}, ["threads waited for a CPU in 70% of the time"]),
        (HOT, {}, ["2 times throttled by heat"]),
        (HOT, {"throttled": 2}, []),
        ({"pressure_s": None, "cpu_s": {"steal": None}, "throttled": {}}, {}, []),
    ],
)
def test_a_fork_is_disturbed_by_what_exceeds_a_threshold_of_the_sweep(
    golden, changes, quiet, expected
):
    fork = around(golden, **changes)
    assert disturbance.list_disturbances(fork, Quiet(**quiet), oversubscribed=False) == expected


def test_threads_that_share_cores_wait_for_each_other(golden):
    fork = around(golden, pressure_s=2.0)
    assert disturbance.list_disturbances(fork, Quiet(), oversubscribed=True) == []


def list_slow(golden, calibrations, slower=0.3):
    """Return what disturbed a fork with each of these times of a sort, in ns."""
    assessment, added = disturbance.Assessment(Quiet(slower=slower)), []
    for number, ns in enumerate(calibrations):
        evidence = golden["evidence"] | {"nsPerSort": ns}
        fork = around(golden | {"evidence": evidence, "fork": number})
        added.append(assessment.add(fork, "p", oversubscribed=False))
    return ["".join(assessment.list_reasons(measurement)) for measurement in added]


def test_the_usual_sort_time_is_that_of_the_undisturbed_quarter(golden):
    slow = [f"the machine was {share}% slower than usual" for share in (31, 47, 36)]
    calibrations = [19.0, 25.0, 19.1, 28.0, None, 26.0]
    assert list_slow(golden, calibrations) == ["", slow[0], "", slow[1], "", slow[2]]
    assert list_slow(golden, [None]) == [""]
    assert list_slow(golden, [19.0, 25.0], slower=None) == ["", ""]


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
