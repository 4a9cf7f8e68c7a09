package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.input.BadInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinds of core, caches, sockets and isolated CPUs, on fake machines. */
class NeighboursTest {
    @TempDir
    Path root;

    private static List<String> kinds(FakeMachine machine, int threads) {
        return Points.plan(PlacementRule.COMPACT, machine.topology(), threads).threads().stream()
                .map(Plan.Slot::kind)
                .toList();
    }

    private static String refusal(FakeMachine machine, Placement placement, int threads) {
        return assertThrows(
                        BadInput.class, () -> Points.plan(placement, machine.topology(), threads))
                .getMessage();
    }

    /** Creates two performance cores of two CPUs each, then four efficiency cores. */
    private FakeMachine hybrid() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 8, 1);
        machine.putEach(0, 1, "topology/thread_siblings_list", "0-1");
        machine.putEach(2, 3, "topology/thread_siblings_list", "2-3");
        return machine.put("sys/devices/cpu_core/cpus", "0-3")
                .put("sys/devices/cpu_atom/cpus", "4-7");
    }

    @Test
    void performanceCoresComeBeforeEfficiencyCoresAndSiblingsLast() {
        FakeMachine machine = hybrid();
        assertEquals(List.of("core", "atom"), machine.topology().kinds());
        assertEquals(List.of(0, 2, 4, 5, 6, 7, 1, 3), machine.cpus(PlacementRule.COMPACT, 8));
        assertEquals(List.of("core", "core", "atom"), kinds(machine, 3));
    }

    @Test
    void bigCoresComeBeforeLittleOnesThatHaveTheLowerNumbers() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 10, 1)
                .putEach(0, 1, "cpu_capacity", "446")
                .putEach(2, 8, "cpu_capacity", "1010")
                .putEach(9, 9, "cpu_capacity", "1024");
        assertEquals(
                List.of("capacity 1024", "capacity 446"), machine.topology().kinds());
        assertEquals(
                List.of(2, 3, 4, 5, 6, 7, 8, 9, 0, 1), machine.cpus(PlacementRule.COMPACT, 10));
    }

    @ParameterizedTest
    @CsvSource({"4000000, 3700000, false", "4800000, 3500000, true"})
    void frequenciesAreKindsOnlyFarApart(String fast, String slow, boolean unlike) {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .putEach(0, 1, "cpufreq/cpuinfo_max_freq", slow)
                .putEach(2, 3, "cpufreq/cpuinfo_max_freq", fast);
        assertEquals(
                unlike ? List.of("4800 MHz", "3500 MHz") : List.of(),
                machine.topology().kinds());
        assertEquals(
                unlike ? List.of(2, 3, 0, 1) : List.of(0, 1, 2, 3),
                machine.cpus(PlacementRule.COMPACT, 4));
    }

    @Test
    void aValueThatOneCpuLacksIsUnknownForAll() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1).putEach(0, 2, "cpu_capacity", "500");
        assertEquals(List.of(), machine.topology().kinds());
        assertNull(machine.topology().cpus().get(0).kind());
    }

    @Test
    void aNodeOfTwoSocketsIsFilledSocketBySocketAndCacheByCache() {
        // CPUs alternate between two sockets; each socket has a last-level cache.
        FakeMachine machine = FakeMachine.of(root, 1, 1, 8, 1);
        for (int cpu = 0; cpu < 8; cpu++) {
            machine.putEach(cpu, cpu, "topology/physical_package_id", "" + cpu % 2);
            machine.putEach(cpu, cpu, "cache/index3/level", "3");
            machine.putEach(cpu, cpu, "cache/index3/type", "Unified");
            machine.putEach(
                    cpu, cpu, "cache/index3/shared_cpu_list", cpu % 2 == 0 ? "0,2,4,6" : "1,3,5,7");
        }
        assertEquals(List.of(0, 2, 4, 6, 1, 3, 5, 7), machine.cpus(PlacementRule.COMPACT, 8));
        assertEquals(List.of(0, 2), machine.cpus(PlacementRule.SAME_CACHE, 2));
        assertEquals(List.of(0, 1), machine.cpus(PlacementRule.OTHER_SOCKET, 2));
        assertTrue(refusal(machine, PlacementRule.OTHER_CACHE, 2)
                .startsWith("OTHER_CACHE needs two usable cores of one socket"));
        assertTrue(refusal(machine, PlacementRule.SIBLINGS, 2).startsWith("SIBLINGS needs"));
    }

    @Test
    void theCacheOfTheHighestLevelCounts() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 8, 1).share(2, 0, 1).share(2, 2, 3);
        machine.share(3, 0, 3).share(3, 4, 7);
        assertEquals(
                List.of(0, 0, 0, 0, 1, 1, 1, 1),
                machine.topology().cpus().stream().map(Topology.Cpu::cache).toList());
        assertEquals(List.of(0, 4), machine.cpus(PlacementRule.OTHER_CACHE, 2));
    }

    @Test
    void compactStartsOnTheFullestNodeAndGoesToTheNearest() {
        FakeMachine machine = FakeMachine.of(root, 2, 2, 4, 1)
                .put("sys/devices/system/node/node0/distance", "10 21 11 21")
                .put("sys/devices/system/node/node1/distance", "21 10 21 11")
                .put("sys/devices/system/node/node2/distance", "11 21 10 21")
                .put("sys/devices/system/node/node3/distance", "21 11 21 10");
        assertEquals(List.of(0, 1, 2, 3, 8, 9, 10, 11, 4), machine.cpus(PlacementRule.COMPACT, 9));
        machine.allow("0,4-15");
        assertEquals(
                List.of(4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 0),
                machine.cpus(PlacementRule.COMPACT, 13));
    }

    @Test
    void distancesOfNodesThatAreOfflineAreNotGuessed() {
        FakeMachine machine = FakeMachine.of(root, 2, 1, 2, 1)
                .put("sys/devices/system/node/node0/distance", "10 21 11")
                .put("sys/devices/system/node/node1/distance", "21 10 11");
        assertEquals(List.of(0, 1, 2, 3), machine.cpus(PlacementRule.COMPACT, 4));
    }

    @Test
    void siblingsAreTwoCpusOfOneCore() throws IOException {
        FakeMachine machine = FakeMachine.captured(root, "x5650-hp");
        List<Plan.Slot> slots =
                Points.plan(PlacementRule.SIBLINGS, machine.topology(), 2).threads();
        assertEquals(slots.get(0).core(), slots.get(1).core());
        assertTrue(slots.get(0).oversubscribed());
        assertEquals(List.of(0, 1), machine.cpus(PlacementRule.OTHER_SOCKET, 2));
        assertTrue(refusal(machine, PlacementRule.SIBLINGS, 3).contains("is for two threads"));
    }

    @Test
    void aChoiceIsKeptInItsOrder() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 8, 1);
        assertEquals(List.of(6, 2, 3, 4), machine.cpus(Placement.named("CPUS_6_2-4"), 4));
        assertEquals(List.of(6, 2, 6), machine.cpus(Placement.named("CPUS_6_2"), 3));
    }

    @Test
    void anUnavailableChoiceIsRefused() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1).allow("0-2");
        assertEquals(
                "placement=CPUS_0_9: CPU 9 does not exist; choose from 0-2.",
                refusal(machine, Placement.named("CPUS_0_9"), 2));
        assertEquals(
                "placement=CPUS_0_3: CPU 3 is not available to this process; choose from 0-2.",
                refusal(machine, Placement.named("CPUS_0_3"), 2));
    }

    private FakeMachine isolated(String allowed) {
        return FakeMachine.of(root, 1, 1, 6, 1)
                .put("sys/devices/system/cpu/isolated", "2,4-5")
                .put("sys/devices/system/cpu/nohz_full", "(null)")
                .allow(allowed);
    }

    @Test
    void isolatedTakesIsolatedCpusEvenOutsideTheMask() {
        FakeMachine machine = isolated("0-1,3");
        assertEquals(List.of(2, 4, 5), machine.cpus(PlacementRule.ISOLATED, 3));
        assertEquals(List.of(0, 1, 3), machine.cpus(PlacementRule.COMPACT, 3));
        assertTrue(refusal(machine, PlacementRule.ISOLATED, 4).contains("has 3 such cores"));
        Topology topology = machine.topology();
        assertNull(Housekeeping.of(topology, Points.plan(PlacementRule.ISOLATED, topology, 3)));
    }

    @Test
    void theJvmsOwnThreadsAreKeptFromIsolatedCpus() {
        Topology topology = isolated("2,4-5").topology();
        assertEquals(
                new Housekeeping(List.of(0, 1, 3), "2,4-5", 3),
                Housekeeping.of(topology, Points.plan(PlacementRule.COMPACT, topology, 2)));
        Topology mixed = isolated("0-5").topology();
        assertEquals(
                new Housekeeping(List.of(0, 1, 3), "0-5", 6),
                Housekeeping.of(mixed, Points.plan(Placement.named("CPUS_4_5"), mixed, 2)));
        assertNull(Housekeeping.of(mixed, Points.plan(Placement.named("CPUS_0_1"), mixed, 2)));
    }

    @Test
    void whenAllCpusAreIsolatedNoneIsLeftForTheJvm() {
        FakeMachine machine =
                FakeMachine.of(root, 1, 1, 2, 1).put("sys/devices/system/cpu/isolated", "0-1");
        Topology topology = machine.topology();
        Plan plan = Points.plan(PlacementRule.COMPACT, topology, 2);
        assertThrows(BadInput.NotOnThisMachine.class, () -> Housekeeping.of(topology, plan));
    }

    @Test
    void twoThousandCpusWithCachesAndKinds() {
        FakeMachine machine = FakeMachine.of(root, 4, 2, 256, 1);
        IntStream.range(0, 256).forEach(i -> machine.share(3, 8 * i, 8 * i + 7));
        Plan plan = Points.plan(PlacementRule.COMPACT, machine.topology(), 12);
        assertEquals(12, plan.threads().stream().map(Plan.Slot::core).distinct().count());
        assertEquals(2, plan.threads().stream().map(Plan.Slot::cache).distinct().count());
    }

    @Test
    void aListIsWrittenAsItIsRead() {
        String list = "0,2-4,9-10";
        assertEquals(list, CpuList.format(CpuList.parse(list)));
    }
}
