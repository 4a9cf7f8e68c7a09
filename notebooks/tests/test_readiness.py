"""Readiness of machines, from simulated kernel files, and disturbances of forks."""

import os

import pytest

from handoff.run.host import machine, readiness
from handoff.run.host.cpu_settings import check_isolation
from handoff.run.host.kernel_files import read_quotas
from handoff.run.plan.settings import Quiet
from handoff.run.store import disturbance
from handoff.run.store.forkfile import ForkFile

from .test_sweep import loaded

CPU = "sys/devices/system/cpu"


def read_findings(root, sweep, busy=0.0):
    return {finding.what: finding for finding in readiness.list_findings(sweep, root, busy)}


CASES = [
    (
        "cpu0/cpufreq/scaling_governor",
        "powersave\n",
        "governor",
        False,
        "governor is powersave",
        "cpupower frequency-set -g performance",
    ),
    ("cpu0/cpufreq/scaling_governor", "performance\n", "governor", True, "performance.", ""),
    (
        "intel_pstate/no_turbo",
        "0\n",
        "turbo",
        False,
        "boost is on",
        f"echo 1 > /{CPU}/intel_pstate/no_turbo",
    ),
    ("intel_pstate/no_turbo", "1\n", "turbo", True, "boost is off", ""),
    ("cpufreq/boost", "1\n", "turbo", False, "boost is on", f"echo 0 > /{CPU}/cpufreq/boost"),
    ("smt/active", "1\n", "smt", None, "SMT is on", f"echo off > /{CPU}/smt/control"),
    ("smt/active", "0\n", "smt", None, "SMT is off", ""),
]


@pytest.mark.parametrize(("file", "content", "what", "is_ready", "sentence", "advice"), CASES)
def test_cpu_settings_are_judged_with_advice_for_root(
    files, sweep_file, file, content, what, is_ready, sentence, advice
):
    finding = read_findings(files(**{f"{CPU}/{file}": content}), loaded(sweep_file()))[what]
    assert finding.ready is is_ready and sentence in finding.sentence and finding.advice == advice


def test_memory_swap_clock_container_and_nodes_are_judged(files, sweep_file):
    meminfo = (
        "MemTotal: 9000000 kB\nMemAvailable: 1000000 kB\nSwapTotal: 4096 kB\nSwapFree: 1024 kB\n"
    )
    root = files(
        **{
            "proc/meminfo": meminfo,
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
            "sys/fs/cgroup/cpu.max": "150000 100000\n",
            "proc/sys/kernel/numa_balancing": "1\n",
            "sys/devices/system/node/node0/cpulist": "0\n",
            "sys/devices/system/node/node1/cpulist": "1\n",
            "proc/cpuinfo": "flags\t\t: fpu hypervisor\n",
            "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
        }
    )
    findings = read_findings(root, loaded(sweep_file(top="jvm: {heap: 1g}")), busy=3.0)
    unready = {what for what, finding in findings.items() if finding.ready is False}
    assert unready == {"memory", "swap", "clock", "container", "NUMA balancing", "load"}
    assert (
        "quota of 1.5 CPUs" in findings["container"].sentence
        and "madvise" in findings["huge pages"].sentence
    )
    assert "virtual machine" in findings["virtualisation"].sentence


MEMINFO = "Node 0 MemTotal: {total} kB\nNode 0 MemFree: {free} kB\nNode 0 Active(file): 524288 kB\n"


@pytest.fixture
def two_nodes(files, monkeypatch):
    """Return a function that writes two nodes of a CPU each, with 9 GiB available in all."""
    monkeypatch.setattr(readiness.os, "sched_getaffinity", lambda _: {0, 1})

    def write(first, second, **more):
        contents = {"proc/meminfo": f"MemAvailable: {9 << 20} kB\n"}
        for node, (total, free) in enumerate((first, second)):
            folder = f"sys/devices/system/node/node{node}"
            contents[f"{folder}/cpulist"] = f"{node}\n"
            contents[f"{folder}/meminfo"] = MEMINFO.format(total=total << 20, free=free << 20)
        return files(**contents | more)

    return write


def test_memory_is_judged_on_the_node_with_least_of_it_where_a_heap_may_lie(two_nodes, sweep_file):
    sweep = loaded(sweep_file(top="jvm: {heap: 1g}"))
    finding = readiness.check_memory(two_nodes((8, 8), (8, 2)), sweep)
    assert finding.ready is True and "2.5 GiB of memory are free on NUMA node 1" in finding.sentence


def test_a_full_node_is_unready_though_the_machine_has_memory(two_nodes, sweep_file):
    finding = readiness.check_memory(
        two_nodes((8, 8), (8, 0)), loaded(sweep_file(top="jvm: {heap: 1g}"))
    )
    assert finding.ready is False and "swap or kill the JVM" in finding.sentence


def test_nodes_without_memory_or_usable_cpus_hold_no_heap(two_nodes):
    assert readiness.find_free_memory(two_nodes((8, 8), (0, 0))) == (8.5, "NUMA node 0")
    masked = two_nodes((8, 8), (8, 0), **{"sys/devices/system/node/node1/cpulist": "7\n"})
    assert readiness.find_free_memory(masked) == (8.5, "NUMA node 0")


@pytest.mark.parametrize("text", ["0 0", "5 0", "0 100000"])
def test_a_quota_or_period_of_zero_is_no_quota(files, text):
    assert read_quotas(files(**{"sys/fs/cgroup/cpu.max": text})) == []


def test_a_period_of_zero_in_version_1_is_no_quota(files):
    group = "sys/fs/cgroup/cpu/a"
    root = files(
        **{
            "proc/self/cgroup": "4:cpu,cpuacct:/a\n",
            f"{group}/cpu.cfs_quota_us": "50000\n",
            f"{group}/cpu.cfs_period_us": "0\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "300000\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        }
    )
    assert read_quotas(root) == [3.0]


def test_nul_bytes_in_the_path_of_a_control_group_are_left_out(files):
    root = files(**{"proc/self/cgroup": "0::/a\0\n", "sys/fs/cgroup/a/cpu.max": "100000 100000\n"})
    assert read_quotas(root) == [1.0]


def test_nul_bytes_do_not_reach_a_sentence(files):
    finding = check_isolation(files(**{f"{CPU}/isolated": "2-3\n", f"{CPU}/nohz_full": "\0\n"}))
    assert finding.sentence == "The kernel isolates CPUs 2-3. The placement ISOLATED uses them."


def test_the_kernel_settings_are_among_the_findings(tmp_path, sweep_file):
    findings = read_findings(tmp_path, loaded(sweep_file()))
    assert {"idle states", "interrupts", "kernel"} <= findings.keys()


def test_a_kernel_without_information_is_unknown_and_not_unready(tmp_path, sweep_file):
    assert all(
        finding.ready is not False
        for finding in readiness.list_findings(loaded(sweep_file()), tmp_path, 0.0)
    )


def test_the_current_load_counts_and_not_that_of_the_last_minute(monkeypatch):
    """A CPU is busy for 0.3 s of half a second; steal does not count as busy."""
    stats = iter(
        f"cpu0 {10 * user} 0 {20 * user} {idle} 0 0 0 {900 * user}\n"
        for user, idle in ((1, 0), (2, 7))
    )
    times = iter((10.0, 10.5))
    monkeypatch.setattr(readiness, "read_text", lambda _: next(stats))
    monkeypatch.setattr(readiness.os, "sched_getaffinity", lambda _: {0})
    monkeypatch.setattr(readiness.time, "monotonic", lambda: next(times))
    monkeypatch.setattr(readiness.time, "sleep", lambda _: None)
    busy = readiness.measure_busy()
    assert busy == pytest.approx(30 / os.sysconf("SC_CLK_TCK") / 0.5)
    assert readiness.check_load(busy).ready is False
    assert readiness.check_load(0.1).ready is True and readiness.check_load(None).ready is None


def test_cpu_seconds_are_those_of_the_allowed_cpus():
    stat = (
        "cpu  900 0 0 0 0 0 0 0\ncpu0 100 0 200 300 0 0 0 7\ncpu1 1 1 1 1 1 1 1 1\ncpu10 50 0 0 0 0"
        " 0 0 0\n"
    )
    seconds = machine.sum_cpu_seconds(stat, {0, 10})
    assert (seconds["user"], seconds["system"], seconds["idle"], seconds["steal"]) == (
        1.5,
        2.0,
        3.0,
        0.07,
    )


def test_cpus_that_the_kernel_does_not_list_are_unknown_not_idle():
    assert (
        set(machine.sum_cpu_seconds("cpu0 1 1 1 1 1 1 1 1\n", {0, 1}).values())
        == {None}
        == set(machine.sum_cpu_seconds("", {0}).values())
    )


def test_throttling_is_counted_by_cause(files):
    heat = f"{CPU}/cpu%d/thermal_throttle/%s_throttle_count"
    root = files(
        **{
            heat % (0, "core"): "3\n",
            heat % (1, "core"): "4\n",
            heat % (0, "package"): "1\n",
            "proc/self/cgroup": "0::/a/b\n",
            "sys/fs/cgroup/a/b/cpu.stat": "usage_usec 1\nnr_throttled 5\n",
            "sys/fs/cgroup/a/cpu.stat": "nr_throttled 2\n",
            "proc/pressure/cpu": (
                "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\nfull avg10=0 total=9\n"
            ),
            f"{CPU}/cpu0/cpufreq/scaling_cur_freq": "2400000\n",
            f"{CPU}/cpu1/cpufreq/scaling_cur_freq": "3600000\n",
        }
    )
    snapshot = machine.take_snapshot([0, 1], root)
    assert (
        snapshot["throttled"] == {"heat": 8, "quota": 7}
        and snapshot["pressure_s"] == 2.5
        and snapshot["mhz"] == [2400, 3600]
    )
    unknown = machine.take_snapshot([0], root / "nowhere")
    assert (
        unknown["throttled"] == {"heat": None, "quota": None}
        and unknown["pressure_s"] is None
        and unknown["mhz"] is None
    )


def around(golden, **changes):
    """Return the golden fork, of one second, with other counters after it."""
    before = golden["before"] | {"pressure_s": 1.0, "throttled": {"heat": 1, "quota": None}}
    cpu_s = dict.fromkeys(before["cpu_s"], 10.0)
    after = before | {"cpu_s": cpu_s | changes.pop("cpu_s", {}), **changes}
    return ForkFile.model_validate(
        golden
        | {
            "before": before | {"cpu_s": cpu_s},
            "after": after,
            "seconds": 1.0,
            "used_s": 1.5,
        }
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"cpu_s": {"user": 11.5}}, []),
        ({"cpu_s": {"user": 11.5, "system": 10.5}}, ["others used 0.50 cores"]),
        ({"cpu_s": {"idle": 99.0, "iowait": 99.0}}, []),
        ({"cpu_s": {"steal": 10.2}}, ["the hypervisor took 0.20 cores"]),
        ({"pressure_s": 1.7}, ["threads waited for a CPU in 70% of the time"]),
        ({"throttled": {"heat": 3, "quota": None}}, ["2 times throttled by heat"]),
        ({"pressure_s": None, "cpu_s": {"steal": None}, "throttled": {}}, []),
    ],
)
def test_a_fork_is_disturbed_by_what_exceeds_a_threshold(golden, changes, expected):
    assert (
        disturbance.list_disturbances(around(golden, **changes), Quiet(), oversubscribed=False)
        == expected
    )


def test_the_usual_sort_time_is_that_of_the_undisturbed_quarter():
    assert (
        disturbance.find_usual_sort([19.0, 25.0, 19.1, 28.0, None, 26.0]) == 19.1
        and disturbance.find_usual_sort([None]) is None
    )
    assert (
        disturbance.describe_slowness(21.0, 19.0, Quiet())
        == []
        == disturbance.describe_slowness(None, 19.0, Quiet())
        == disturbance.describe_slowness(25.0, None, Quiet())
    )
    assert (
        disturbance.describe_slowness(25.0, 19.0, Quiet(slower=0.4))
        == []
        != disturbance.describe_slowness(25.0, 19.0, Quiet(slower=0.3))
    )


def test_threads_that_share_cores_wait_for_each_other(golden):
    assert (
        disturbance.list_disturbances(around(golden, pressure_s=2.0), Quiet(), oversubscribed=True)
        == []
    )


def test_the_thresholds_come_from_the_sweep(golden):
    fork = around(
        golden,
        cpu_s={"user": 11.5, "system": 10.5, "steal": 10.2},
        throttled={"heat": 3, "quota": None},
    )
    assert (
        disturbance.list_disturbances(
            fork, Quiet(others=0.6, steal=0.3, throttled=2), oversubscribed=False
        )
        == []
    )
