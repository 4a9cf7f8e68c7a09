package handoff.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.work.Shots;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HopProbeTest {
    private static final int ABSENT = 1_000;

    /** Probes from a usable CPU to {@code partner}, null for the same CPU. */
    private static Evidence.Hops probe(Integer partner) {
        int cpu = PlacementRule.COMPACT
                .plan(Topology.here(), List.of("first"))
                .threads()
                .get(0)
                .cpu();
        List<Plan.Slot> slots = List.of(slot(cpu), slot(partner == null ? cpu : partner));
        HopProbe probe = new HopProbe(new Plan(slots));
        return Shots.onOwnThread(probe::measure);
    }

    private static Plan.Slot slot(int cpu) {
        return new Plan.Slot("thread", cpu, null, null, null, null, null, false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadWithoutAPartnerStopsAtTheDeadline(boolean even) {
        assertTrue(Double.isNaN(new Line().rallyUntil(System.nanoTime(), 1_000, even)));
    }

    @Test
    void twoCpusThatRunInTurnHaveNoHop() {
        assertNull(probe(null).nearNs());
    }

    @Test
    void noThreadOfAProbeStays() throws InterruptedException {
        probe(null);
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("hop probe")) {
                thread.join();
            }
        }
    }

    @Test
    void aPartnerThatCannotBePinnedHasNoHop() {
        assertEquals(new Evidence.Hops(ABSENT, null, ABSENT, null), probe(ABSENT));
    }
}
