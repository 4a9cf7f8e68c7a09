package handoff.latency;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Tally;
import handoff.measure.Trial;
import handoff.mechanism.TransportMechanism;
import handoff.mechanism.Wait;
import handoff.work.Shots;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class LatencyTest {
    private static final int EVENTS = 2_000;

    static Stream<Arguments> cases() {
        return Stream.of(TransportMechanism.values())
                .flatMap(mechanism -> Stream.of(1, 2, 3)
                        .flatMap(stages -> Stream.of(Recording.values())
                                .map(recording -> Arguments.of(mechanism, stages, recording))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyEventPassesEveryStageAndIsRecorded(
            TransportMechanism mechanism, int stages, Recording recording) {
        Findings findings = Shots.onOwnThread(() -> shoot(mechanism, stages, recording));
        assertTrue(Stages.measures().containsAll(findings.measures().keySet()));
        assertTrue(findings.measures().get("total_min") >= 0
                && findings.measures().get("total_max") < Recorder.LATEST);
        assertTrue(
                findings.measures().get("due_p50") >= findings.measures().get("total_p50"),
                "published after its due time");
        assertEquals(
                recording == Recording.EVERY_STAGE, findings.measures().containsKey("stage1_p99"));
        assertEquals(
                recording == Recording.EVERY_STAGE && stages == 3,
                findings.curves().containsKey("stage3"));
        double[][] curve = findings.curves().get("total");
        assertEquals(0, curve[0][0]);
        assertTrue(
                1 / (1 - curve[curve.length - 1][0]) <= EVENTS * 1.0001,
                "no quantile beyond the number of events");
    }

    private static Findings shoot(TransportMechanism mechanism, int stages, Recording recording)
            throws InterruptedException {
        Trial trial = Points.trial(PlacementRule.COMPACT, Plan.roles(1, stages));
        Shot shot = trial.shot(stages, EVENTS, Stages.expected(stages, EVENTS));
        Stages clocks = new Stages(shot.tallies(), recording, Pacing.SCHEDULE, 20);
        LatencyPipeline line = mechanism.release() == null
                ? new QueuePipeline(mechanism, clocks, 64, shot.team())
                : new DisruptorPipeline(
                        mechanism.release(), clocks, 64, Wait.YIELDING, shot.team());
        shot.ready();
        shot.start();
        for (long i = 0; i < EVENTS; i++) {
            line.publish(i, System.nanoTime());
        }
        shot.finish();
        trial.close(shot, line::stop, clocks::findings);
        return clocks.findings();
    }

    /**
     * 300 ns for three stages, less 20 ns for the clock, are 80 ns per hop, in the bucket from 64
     * to 128.
     */
    @Test
    void aHopIsAThirdOfTheTotalLessTheClock() {
        Stages clocks = new Stages(
                List.of(new Tally(), new Tally(), new Tally()),
                Recording.LAST_STAGE,
                Pacing.AFTER_PUBLISH,
                20);
        for (int i = 0; i < 100; i++) {
            Stamped event = new Stamped();
            event.published = System.nanoTime() - 300;
            clocks.stage(2).accept(event);
        }
        Findings findings = clocks.findings();
        assertTrue(findings.measures().get("hop_min") >= 80);
        assertEquals(
                (findings.measures().get("total_p50") / 3) - 20,
                findings.measures().get("hop_p50"),
                1e-9);
        assertTrue(
                findings.measures().keySet().stream().noneMatch(name -> name.startsWith("due")),
                "no schedule, no due time");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 0",
        "2, 0",
        "3, 1",
        "4, 1",
        "5, 2",
        "128, 6",
        "129, 7",
        "1073741824, 29",
        "1073741825, 30"
    })
    void bucketsEndAtPowersOfTwo(long sample, int bucket) {
        assertEquals(bucket, PublishedStatistic.bucket(sample));
    }

    /**
     * The source counts from the top: after 99 samples, the last one is the hundredth, below which
     * 99 % lie.
     */
    @Test
    void aQuantilesBucketIsTheFirstFromTheTopThatHoldsItsTail() {
        PublishedStatistic statistic = new PublishedStatistic(1, 0);
        for (int i = 0; i < 99; i++) {
            statistic.record(100);
        }
        statistic.record(5_000);
        assertEquals(8_192, statistic.summary().p99());
    }

    /**
     * 98 samples of 100 ns and 2 of 5,000: the published statistic gives 128 and 8,192 instead of
     * 100 and 5,000.
     */
    @Test
    void thePublishedStatisticKnowsOnlyBuckets() {
        PublishedStatistic statistic = new PublishedStatistic(1, 0);
        for (int i = 0; i < 98; i++) {
            statistic.record(100);
        }
        statistic.record(5_000);
        statistic.record(5_000);
        Summary summary = statistic.summary();
        assertEquals(128, summary.p50());
        assertEquals(8_192, summary.p99());
        assertEquals(100, summary.min());
        assertEquals(5_000, summary.max());
        assertEquals(
                (98 * (100 + 128) / 2.0 + 2 * (4_096 + 5_000) / 2.0) / 100, summary.mean(), 1e-9);
    }

    @Test
    void aRecordersMemoryIsFixedAndLateEventsAreReported() {
        Recorder recorder = new Recorder();
        long before = recorder.footprint();
        recorder.record(-5);
        assertDoesNotThrow(recorder::verify);
        recorder.record(Long.MAX_VALUE);
        assertThrows(IllegalStateException.class, recorder::verify);
        for (long ns = 1; ns < Recorder.LATEST; ns *= 3) {
            recorder.record(ns);
        }
        assertEquals(before, recorder.footprint());
        assertEquals(Recorder.LATEST, recorder.greatest(), 1e-3 * Recorder.LATEST);
        assertEquals(0, recorder.least());
    }
}
