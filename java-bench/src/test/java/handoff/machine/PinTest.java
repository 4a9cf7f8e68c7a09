package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.work.Shots;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class PinTest {
    private static Plan.Slot slot(String role, int cpu) {
        return new Plan.Slot(role, cpu, null, null, null, null, null, false);
    }

    @Test
    void aPinnedThreadRunsOnItsCpu() {
        int cpu = Points.plan(PlacementRule.COMPACT, Topology.here(), 1)
                .threads()
                .get(0)
                .cpu();
        ThreadState state = Shots.onOwnThread(() -> {
            assertEquals("" + cpu, Pin.to(slot("producer", cpu)));
            return ThreadState.ofCaller();
        });
        assertEquals("" + cpu, state.mask());
        assertEquals(cpu, state.lastCpu());
    }

    @Test
    void anImpossibleCpuThrows() {
        Plan.Slot nowhere = slot("producer", 1000);
        assertThrows(CompletionException.class, () -> Shots.onOwnThread(() -> Pin.to(nowhere)));
    }

    @Test
    void anUnpinnedThreadReportsItsMask() {
        String mask = Shots.onOwnThread(() -> Pin.to(Plan.Slot.unpinned("producer", false)));
        assertEquals(Shots.onOwnThread(() -> ThreadState.ofCaller().mask()), mask);
    }

    @Test
    void movingToAnotherCpuIsAMigration() {
        int[] cpus = Points.plan(PlacementRule.COMPACT, Topology.here(), 2).threads().stream()
                .mapToInt(Plan.Slot::cpu)
                .toArray();
        Long migrations = Shots.onOwnThread(() -> {
            Pin.to(slot("producer", cpus[0]));
            ThreadState first = ThreadState.ofCaller();
            Pin.to(slot("producer", cpus[1]));
            return ThreadState.ofCaller().migrationsSince(first);
        });
        // With one CPU nothing migrates; kernels without scheduler debugging report null.
        assertTrue(migrations == null || migrations == (cpus[0] == cpus[1] ? 0 : 1));
    }

    @Test
    void processCpuTimeGrowsWithWork() {
        ProcessCpu before = ProcessCpu.read();
        long until = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        ProcessCpu used = ProcessCpu.read().minus(before);
        assertTrue(used.userNs() + used.systemNs() > 0);
    }
}
