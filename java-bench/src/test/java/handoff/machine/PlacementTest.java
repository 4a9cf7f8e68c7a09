package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.input.BadInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    @TempDir
    Path root;

    private static Set<Integer> cores(Plan plan) {
        return plan.threads().stream().map(Plan.Slot::core).collect(Collectors.toSet());
    }

    private static Set<Integer> nodes(Plan plan) {
        return plan.threads().stream()
                .map(Plan.Slot::node)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private static boolean anyOversubscribed(Plan plan) {
        return plan.threads().stream().anyMatch(Plan.Slot::oversubscribed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x5650-hp", "x5650-blk", "x5650-packed"})
    void thePapersMachineFillsOneNodeThenTheOther(String capture) throws IOException {
        Topology machine = FakeMachine.captured(root, capture).topology();
        for (int threads = 1; threads <= 12; threads++) {
            Plan plan = Points.plan(PlacementRule.COMPACT, machine, threads);
            assertEquals(
                    threads <= 6 ? Set.of(0) : Set.of(0, 1), nodes(plan), threads + " threads");
            assertEquals(threads, cores(plan).size(), threads + " threads, a core each");
            assertFalse(anyOversubscribed(plan));
        }
        assertEquals(
                1,
                Points.plan(PlacementRule.COMPACT, machine, 7).threads().get(6).node());
    }

    @ParameterizedTest
    @CsvSource({"x5650-hp, 12", "x5650-blk, 12", "x5650-packed, 1"})
    void theThirteenthThreadIsTheFirstSibling(String capture, int sibling) throws IOException {
        Topology machine = FakeMachine.captured(root, capture).topology();
        Plan plan = Points.plan(PlacementRule.COMPACT, machine, 13);
        assertEquals(sibling, plan.threads().get(12).cpu());
        assertEquals(
                List.of("producer", "consumer-12"),
                plan.threads().stream()
                        .filter(Plan.Slot::oversubscribed)
                        .map(Plan.Slot::role)
                        .toList());
    }

    @Test
    void theTwoFirmwaresNumberTheSamePlacesDifferently() throws IOException {
        assertEquals(
                List.of(0, 2, 4, 6, 8, 10, 1),
                FakeMachine.captured(root.resolve("hp"), "x5650-hp")
                        .cpus(PlacementRule.COMPACT, 7));
        assertEquals(
                List.of(0, 1, 2, 3, 4, 5, 6),
                FakeMachine.captured(root.resolve("blk"), "x5650-blk")
                        .cpus(PlacementRule.COMPACT, 7));
    }

    @Test
    void oneNodeRefusesTheSeventhThread() throws IOException {
        Topology machine = FakeMachine.captured(root, "x5650-hp").topology();
        assertEquals(Set.of(0), nodes(Points.plan(PlacementRule.ONE_NODE, machine, 6)));
        BadInput refusal = assertThrows(
                BadInput.NotOnThisMachine.class,
                () -> Points.plan(PlacementRule.ONE_NODE, machine, 7));
        assertTrue(refusal.getMessage().contains("7 threads")
                && refusal.getMessage().contains("6 usable cores"));
    }

    @Test
    void scatterNeedsTwoNodes() {
        Topology machine = FakeMachine.of(root, 1, 1, 4, 1).topology();
        assertThrows(
                BadInput.NotOnThisMachine.class,
                () -> Points.plan(PlacementRule.SCATTER, machine, 2));
    }

    @Test
    void aNodeOfMemoryOnlyGetsNoThread() throws IOException {
        Topology machine = FakeMachine.captured(root, "x5650-blk-memnode").topology();
        assertEquals(3, machine.nodes().size());
        assertEquals(Set.of(0, 1), nodes(Points.plan(PlacementRule.COMPACT, machine, 24)));
        assertEquals(Set.of(0, 1), nodes(Points.plan(PlacementRule.SCATTER, machine, 12)));
    }

    @Test
    void offlineCpusAreNotUsed() throws IOException {
        FakeMachine machine = FakeMachine.captured(root, "x5650-hp-ht-offline");
        assertTrue(machine.cpus(PlacementRule.COMPACT, 24).stream().allMatch(cpu -> cpu < 12));
        assertFalse(anyOversubscribed(Points.plan(PlacementRule.COMPACT, machine.topology(), 12)));
        assertTrue(anyOversubscribed(Points.plan(PlacementRule.COMPACT, machine.topology(), 13)));
    }

    @Test
    void anAllowedSetOfThreeCpus() throws IOException {
        FakeMachine machine = FakeMachine.captured(root, "x5650-blk").allow("0,7,12");
        assertEquals(List.of(0, 7, 12), machine.cpus(PlacementRule.COMPACT, 3));
        assertEquals(
                List.of(true, false, true),
                Points.plan(PlacementRule.COMPACT, machine.topology(), 3).threads().stream()
                        .map(Plan.Slot::oversubscribed)
                        .toList());
    }

    @Test
    void aQuotaBelowTheAllowedCpusCrowdsEveryThread() throws IOException {
        FakeMachine machine = FakeMachine.captured(root, "x5650-blk")
                .put("proc/self/cgroup", "0::/batch/job")
                .put("sys/fs/cgroup/batch/cpu.max", "400000 100000")
                .put("sys/fs/cgroup/batch/job/cpu.max", "max 100000");
        assertEquals(4.0, machine.topology().quota());
        assertFalse(anyOversubscribed(Points.plan(PlacementRule.COMPACT, machine.topology(), 4)));
        assertTrue(Points.plan(PlacementRule.COMPACT, machine.topology(), 5).threads().stream()
                .allMatch(Plan.Slot::oversubscribed));
    }

    @Test
    void theFirstVersionOfControlGroupsIsReadToo() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 8, 1)
                .put("proc/self/cgroup", "4:memory:/x\n1:cpu,cpuacct:/x")
                .put("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "150000")
                .put("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000");
        assertEquals(1.5, machine.topology().quota());
    }

    @Test
    void withoutANodeFolderNodesStayUnknown() {
        FakeMachine machine = FakeMachine.of(root, 1, 0, 4, 1)
                .put("sys/devices/system/cpu/present", "0-3")
                .put("sys/devices/system/cpu/online", "0-3");
        Plan plan = Points.plan(PlacementRule.COMPACT, machine.topology(), 4);
        assertEquals(Set.of(), nodes(plan));
        assertTrue(plan.threads().stream().map(Plan.Slot::node).allMatch(Objects::isNull));
        assertThrows(
                BadInput.NotOnThisMachine.class,
                () -> Points.plan(PlacementRule.ONE_NODE, machine.topology(), 2));
    }

    @Test
    void aCpuBeyondTheMasksIsRefusedAndLeftAloneUnpinned() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 1100, 1).allow("1020-1030");
        assertEquals(List.of(1020, 1021, 1022, 1023), machine.cpus(PlacementRule.COMPACT, 4));
        assertTrue(assertThrows(
                        BadInput.NotOnThisMachine.class,
                        () -> machine.cpus(PlacementRule.COMPACT, 5))
                .getMessage()
                .startsWith("CPU 1024: threads can be pinned to CPUs 0 to 1023."));
        assertEquals(5, machine.cpus(PlacementRule.UNPINNED, 5).size());
    }

    @Test
    void oneCpuTakesAllThreads() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 1, 1);
        assertEquals(List.of(0, 0, 0), machine.cpus(PlacementRule.COMPACT, 3));
        assertTrue(anyOversubscribed(Points.plan(PlacementRule.COMPACT, machine.topology(), 2)));
        assertFalse(anyOversubscribed(Points.plan(PlacementRule.COMPACT, machine.topology(), 1)));
    }

    @Test
    void unpinnedThreadsAreCrowdedOnlyBeyondTheCores() {
        Topology machine = FakeMachine.of(root, 1, 1, 4, 2).topology();
        assertFalse(anyOversubscribed(Points.plan(PlacementRule.UNPINNED, machine, 4)));
        assertTrue(anyOversubscribed(Points.plan(PlacementRule.UNPINNED, machine, 5)));
        assertEquals(
                null,
                Points.plan(PlacementRule.UNPINNED, machine, 4).threads().get(0).cpu());
    }

    @Test
    void theHeapLiesWithTheFirstThreadThatIsPlaced() throws IOException {
        FakeMachine machine = FakeMachine.captured(root, "x5650-hp");
        Topology topology = machine.topology();
        Plan plan = Points.plan(PlacementRule.COMPACT, topology, 12);
        assertEquals(
                new HeapPlacement.Policy(false, List.of(0)),
                HeapPlacement.PRODUCER.policy(topology, plan));
        assertEquals(
                new HeapPlacement.Policy(false, List.of(0)),
                HeapPlacement.PRODUCER.policy(topology, plan.behindStarter()));
        assertEquals(
                new HeapPlacement.Policy(true, List.of(0, 1)),
                HeapPlacement.INTERLEAVED.policy(topology, plan));
        assertNull(HeapPlacement.FIRST_TOUCH.policy(topology, plan));
    }

    @Test
    void theHeapIsLeftAloneWhereThereIsNothingToPlace() throws IOException {
        Topology two = FakeMachine.captured(root, "x5650-hp").topology();
        assertNull(HeapPlacement.PRODUCER.policy(two, Points.plan(PlacementRule.UNPINNED, two, 3)));
        Plan onOneNode = Points.plan(PlacementRule.ONE_NODE, two, 3);
        assertTrue(assertThrows(
                        BadInput.NotOnThisMachine.class,
                        () -> HeapPlacement.INTERLEAVED.policy(two, onOneNode))
                .getMessage()
                .contains("got 1."));
        Topology one = FakeMachine.of(root.resolve("one"), 1, 1, 4, 1).topology();
        assertNull(HeapPlacement.PRODUCER.policy(one, Points.plan(PlacementRule.COMPACT, one, 3)));
    }
}
