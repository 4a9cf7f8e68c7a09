package handoff.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {
    @TempDir
    Path root;

    /** Returns lscpu's rows "cpu,node,socket,core" of the online CPUs. */
    private static List<String> lscpu(Path root) throws IOException {
        Process lscpu = new ProcessBuilder(
                        "lscpu", "-s", root.toString(), "-p=CPU,NODE,SOCKET,CORE")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(lscpu.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .filter(row -> !row.startsWith("#"))
                .toList();
    }

    private static List<String> rows(Topology machine) {
        return machine.cpus().stream()
                .filter(Cpu::online)
                .map(cpu -> cpu.id()
                        + ","
                        + word(cpu.node())
                        + ","
                        + word(cpu.socket())
                        + ","
                        + word(cpu.core()))
                .toList();
    }

    private static String word(Integer id) {
        return Objects.toString(id, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x5650-hp",
                "x5650-blk",
                "x5650-packed",
                "x5650-uma",
                "x5650-hp-ht-offline",
                "x5650-blk-memnode"
            })
    void agreesWithLscpu(String capture) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/lscpu")), "lscpu is not installed");
        Path machine = FakeMachine.captured(root, capture).root();
        assertEquals(lscpu(machine), rows(Topology.read(machine)));
    }

    @Test
    void agreesWithLscpuOnThisMachine() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/lscpu")), "lscpu is not installed");
        assertEquals(lscpu(Path.of("/")), rows(Topology.here()));
    }

    @Test
    void overlappingNodesAreUnknown() throws IOException {
        // lscpu answers node 0 for every CPU here, a guess: both nodes list all of them.
        Topology machine = FakeMachine.captured(root, "numafake2").topology();
        assertEquals(2, machine.nodes().size());
        assertTrue(machine.cpus().stream().allMatch(cpu -> cpu.node() == null));
    }

    @Test
    void offlineCpusAreListedAndOtherwiseUnknown() throws IOException {
        Topology machine = FakeMachine.captured(root, "x5650-hp-ht-offline").topology();
        assertEquals(24, machine.cpus().size());
        Cpu offline = machine.cpus().get(12);
        assertFalse(offline.online());
        assertNull(offline.core());
        assertNull(offline.node());
    }

    @Test
    void possibleButAbsentCpusAreNotListed() throws IOException {
        assertEquals(
                24, FakeMachine.captured(root, "x5650-hp").topology().cpus().size());
    }

    @Test
    void distancesComeInTheOrderOfTheNodes() throws IOException {
        assertEquals(
                List.of(17, 28, 10),
                FakeMachine.captured(root, "x5650-blk-memnode")
                        .topology()
                        .nodes()
                        .get(2)
                        .distances());
    }

    @Test
    void sparseNodeIdsAndUnknownSiblings() {
        FakeMachine machine = new FakeMachine(root)
                .put("sys/devices/system/cpu/present", "0,8")
                .put("sys/devices/system/cpu/online", "0,8")
                .put("sys/devices/system/node/node8/cpulist", "8\0")
                .put("sys/devices/system/node/node0/cpulist", "0")
                .put("sys/devices/system/cpu/cpu8/topology/physical_package_id", "-1");
        assertEquals(List.of("0,0,,", "8,8,,"), rows(machine.topology()));
        assertNull(machine.topology().cpus().get(0).allowed());
        assertNull(machine.topology().virtual());
    }

    @Test
    void aMalformedFile() {
        FakeMachine machine =
                new FakeMachine(root).put("sys/devices/system/cpu/present", "all of them");
        assertTrue(assertThrows(BadInput.class, machine::topology)
                .getMessage()
                .contains("all of them"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0-4294967295", "0-50000000", "0-", "3-0", "-1", "1,,x", "0-65536", "0 1 2"})
    void aMalformedList(String list) {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1);
        for (String file : List.of("present", "online")) {
            machine.put("sys/devices/system/cpu/" + file, list);
            assertThrows(BadInput.class, machine::topology);
            machine.put("sys/devices/system/cpu/" + file, "0-3");
        }
    }

    @Test
    void aHypervisorIsAFlagInTheStartOfALongFile() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .put("proc/cpuinfo", "flags\t\t: hypervisor\n" + "processor\n".repeat(1 << 20));
        assertTrue(machine.topology().virtual());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN 100000", "1e5 100000"})
    void aMalformedQuota(String quota) {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1).put("sys/fs/cgroup/cpu.max", quota);
        assertThrows(BadInput.class, machine::topology);
    }

    @Test
    void anUnknownGroupHasNoQuotaAndALargeOneIsRead() {
        FakeMachine machine =
                FakeMachine.of(root, 1, 1, 4, 1).put("proc/self/cgroup", "0::\n1:cpu:/a");
        assertNull(machine.topology().quota());
        machine.put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "5000000000")
                .put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "1000000");
        assertEquals(5000.0, machine.topology().quota());
        for (String none : List.of("-1", "0")) {
            machine.put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", none);
            assertNull(machine.topology().quota());
        }
    }

    @Test
    void theTightestQuotaOfNestedGroupsIsRead() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .put("proc/self/cgroup", "0::/outer/inner")
                .put("sys/fs/cgroup/outer/cpu.max", "200000 100000")
                .put("sys/fs/cgroup/outer/inner/cpu.max", "300000 100000");
        assertEquals(2.0, machine.topology().quota());
    }

    @Test
    void theNewerNameOfTheSiblingsDecides() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1);
        for (int cpu = 0; cpu < 4; cpu++) {
            machine.put(
                    "sys/devices/system/cpu/cpu" + cpu + "/topology/core_cpus_list",
                    cpu < 2 ? "0-1" : "2-3");
        }
        assertEquals(List.of("0,0,0,0", "1,0,0,0", "2,0,0,1", "3,0,0,1"), rows(machine.topology()));
    }

    @Test
    void heapPagesOfTheLargeMappingsAddUpPerNode() {
        String maps = """
                7ef0 default anon=5000 dirty=5000 N0=5000 kernelpagesize_kB=4
                7f00 default anon=262144 dirty=262144 N0=200000 N1=62144 kernelpagesize_kB=4
                7f10 default anon=12 dirty=12 N1=12 kernelpagesize_kB=4
                7f20 default file=/usr/lib/x mapped=9000 N0=9000 kernelpagesize_kB=4
                """;
        assertEquals(java.util.Map.of(0, 205000L, 1, 62144L), HeapNodes.of(maps));
    }
}
