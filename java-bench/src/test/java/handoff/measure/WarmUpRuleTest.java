package handoff.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.CompilerCpu;
import handoff.machine.PlacementRule;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WarmUpRuleTest {
    private static Evidence.Shot shot(long wallNs, Long compilerNs) {
        return new Evidence.Shot(
                1, "0", wallNs, 0, 0, 0, compilerNs, List.of(), null, null, null, null);
    }

    /** Returns the rule after shots of these milliseconds, with quiet compilers. */
    private static WarmUpRule after(double limitSeconds, long... millis) {
        WarmUpRule warmUp = new WarmUpRule(limitSeconds);
        LongStream.of(millis).forEach(ms -> warmUp.add(shot(ms * 1_000_000, 0L)));
        return warmUp;
    }

    @Test
    void itIsOverWhenFourShotsBringNoGain() {
        assertFalse(after(60, 90, 50, 40, 40, 40).settled());
        assertTrue(after(60, 90, 50, 40, 41, 39, 40, 60).settled());
        assertTrue(after(60, 90, 50, 40, 41, 39, 40, 60).over());
    }

    @Test
    void aSlowDescentIsNotOver() {
        assertFalse(after(60, 100, 99, 98, 97, 96, 95, 94, 93).settled());
    }

    @Test
    void itIsNotOverWhileTheCompilersAreBusy() {
        WarmUpRule busy = after(60, 40, 40, 40, 40);
        busy.add(shot(40_000_000, 9_000_000L));
        assertFalse(busy.settled());
        WarmUpRule unreported = after(60, 40, 40, 40, 40);
        unreported.add(shot(40_000_000, null));
        assertTrue(unreported.settled());
    }

    @Test
    void itsLimitEndsItAfterSixShots() {
        assertFalse(after(0.1, 60, 50, 40, 30, 20).over());
        assertTrue(after(0.1, 60, 50, 40, 30, 20, 10).over());
        assertFalse(after(0.3, 60, 50, 40, 30, 20, 10).over());
    }

    @Test
    void itsLimitAndItsShotsAreRecorded() {
        assertEquals(
                new Evidence.WarmUp(
                        0.1, false, 1, List.of(60_000_000L, 50_000_000L), List.of(0L, 0L)),
                after(0.1, 60, 50).evidence());
    }

    @Test
    void withoutALimitThereIsNone() {
        assertTrue(new WarmUpRule(0).over());
        assertNull(new WarmUpRule(0).evidence());
    }

    @Test
    void itFiresShotsThroughTheirEnd() throws InterruptedException {
        Trial trial = Points.trial(PlacementRule.UNPINNED, List.of("producer"));
        int[] fired = {0};
        trial.warmUp(1e-9, 0, () -> {
            fired[0]++;
            Shot shot = trial.shot(1, 1, Expected.shared(1, 7));
            shot.ready();
            shot.start();
            shot.tallies().get(0).add(7);
            shot.finish();
            trial.close(shot, () -> {}, () -> Findings.NONE);
        });
        assertTrue(fired[0] == WarmUpRule.LEAST || fired[0] == WarmUpRule.WINDOW + 1);
    }

    @Test
    void theCompilersTimeIsReported() {
        Long before = CompilerCpu.readNs();
        if (before != null) {
            assertTrue(before > 0, "a JVM that has run tests has compiled");
        }
    }
}
