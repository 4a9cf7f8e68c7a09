package handoff.counters;

import static handoff.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.work.Shots;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class CountersTest {
    private static void shoot(CountersMechanism mechanism, int threads, long events) {
        Shots.onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.COMPACT, Plan.counted("thread", threads));
            Shot shot = trial.shot(threads, events, Increments.expected(events, threads));
            Increments increments = new Increments(mechanism, shot.tallies(), shot.team());
            Shots.shoot(trial, shot, increments);
            increments.verify();
            return shot;
        });
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, 1", "VOLATILE, 1", "CAS, 1", "CAS, 2", "LOCK, 1", "LOCK, 2"})
    void noIncrementIsLost(CountersMechanism mechanism, int threads) {
        for (long events : new long[] {2, 3, 100_001}) {
            assertDoesNotThrow(() -> shoot(mechanism, threads, events));
        }
    }

    /**
     * Two threads that increment without synchronising lose increments, and the shot must fail:
     * this is why the study has no such point.
     */
    @ParameterizedTest
    @CsvSource({"PLAIN", "VOLATILE"})
    void lostIncrementsFailTheShot(CountersMechanism mechanism) {
        assertFails(" increments", () -> {
            for (int i = 0; i < 20; i++) {
                shoot(mechanism, 2, 2_000_000);
            }
        });
    }

    /**
     * The plain loop actually stores every number: another thread sees intermediate counts. A loop
     * reduced to one addition, or one that keeps its count in a register, would show only the first
     * and the last.
     */
    @Test
    void thePlainLoopIsNotOptimisedAway() throws InterruptedException {
        Cell cell = new Cell();
        for (int i = 0; i < 20; i++) {
            CountersMechanism.PLAIN.increment(cell, 1_000_000);
        }
        long compiled = cell.get();
        long more = 1_000_000_000;
        Thread loop = new Thread(() -> CountersMechanism.PLAIN.increment(cell, more));
        Set<Long> seen = new HashSet<>();
        loop.start();
        while (loop.isAlive()) {
            seen.add(cell.get());
            Thread.sleep(1);
        }
        assertEquals(compiled + more, cell.get());
        seen.removeIf(count -> count <= compiled || count >= compiled + more);
        assertTrue(seen.size() >= 5, "only " + seen.size() + " intermediate counts were seen");
    }
}
