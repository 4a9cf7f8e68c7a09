package handoff.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.measure.Trial;
import handoff.work.Shots;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WarmUpTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 50})
    void onlyShotsOfTheWarmUpAreShorter(long warmUpEvents) {
        List<Long> handedOver = new ArrayList<>();
        // A local class, because JMH's annotation processor takes others for benchmarks.
        class Fork extends ScalingBenchmark {
            /** Fires a shot as JMH does; it is proved by its count and its checksum. */
            void fire(Trial trial) throws InterruptedException {
                shot = open(trial);
                handedOver.add(shot.events());
                awaitReady();
                measure();
                trial.close(shot, this::stop, this::findings);
            }
        }
        String words = "mechanism=ARRAY_BLOCKING_QUEUE consumers=1 sorts=1 sort=TODAY"
                + " order=ASCENDING events=100 capacity=8 release=3.4.4 element=NEW";
        Fork fork = Points.set(new Fork(), words);
        Shots.onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.UNPINNED, fork.roles());
            fork.prepare();
            trial.warmUp(1e-9, warmUpEvents, () -> fork.fire(trial));
            fork.fire(trial);
            return null;
        });
        int warmUpShots = handedOver.size() - 1;
        assertTrue(warmUpShots >= 5, "a warm-up takes five shots or more");
        List<Long> expected =
                new ArrayList<>(Collections.nCopies(warmUpShots, warmUpEvents == 0 ? 100L : 50L));
        expected.add(100L);
        assertEquals(expected, handedOver);
    }
}
