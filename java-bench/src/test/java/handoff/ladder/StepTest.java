package handoff.ladder;

import static handoff.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.work.Event;
import handoff.work.EventConsumer;
import handoff.work.Shots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/** The contracts of every step and reference. */
@Timeout(60)
class StepTest {
    /** Few: on a busy machine, a pair of threads hands over two events per time slice. */
    private static final int EVENTS = 200;

    private static Shots shots(LadderMechanism mechanism, int capacity, int events) {
        return new Shots(
                Points.set(new LadderBenchmark(), "mechanism=" + mechanism).roles(),
                1,
                events,
                (consumers, team) ->
                        mechanism.open(new LadderSetup(consumers.get(0), capacity, team)));
    }

    @ParameterizedTest
    @EnumSource(LadderMechanism.class)
    void everyEventIsConsumedExactlyOnce(LadderMechanism mechanism) {
        shots(mechanism, 64, 2_000).assertExactlyOnce();
    }

    @ParameterizedTest
    @EnumSource(LadderMechanism.class)
    void aQueueOfTwoPlacesHandsOverEachEventOnce(LadderMechanism mechanism) {
        shots(mechanism, 2, EVENTS).assertExactlyOnce();
    }

    @ParameterizedTest
    @EnumSource(LadderMechanism.class)
    void aConsumerThatThrowsFailsTheShotAndNothingHangs(LadderMechanism mechanism) {
        assertFails("on purpose", shots(mechanism, 2, EVENTS)::fireWithAFailure);
    }

    @ParameterizedTest
    @EnumSource(LadderMechanism.class)
    void anEventProcessedWronglyFailsTheShot(LadderMechanism mechanism) {
        assertFails(
                "lost, repeated or processed wrongly",
                shots(mechanism, 64, EVENTS)::fireWithAWrongResult);
    }

    @ParameterizedTest
    @EnumSource(LadderMechanism.class)
    void tinyShotsEnd(LadderMechanism mechanism) {
        for (int i = 0; i < 3; i++) {
            assertDoesNotThrow(shots(mechanism, 2, 3)::fire);
        }
    }

    @ParameterizedTest
    @EnumSource(Steps.class)
    void aStepHoldsItsCapacityAndKeepsTheOrderOverLaps(Steps kind) throws InterruptedException {
        PolledStep step = kind.open(4);
        List<Long> taken = new ArrayList<>();
        EventConsumer consumer = new EventConsumer(null, null) {
            @Override
            public void accept(Event event) {
                taken.add(event.value);
            }
        };
        for (long lap = 0; lap < 5; lap++) {
            assertTrue(!step.poll(consumer), "empty");
            for (long i = 0; i < 4; i++) {
                assertTrue(Steps.offer(step, 4 * lap + i));
            }
            assertTrue(!Steps.offer(step, -1), "full");
            while (taken.size() < 4 * (lap + 1)) {
                assertTrue(step.poll(consumer));
            }
        }
        assertEquals(LongStream.range(0, 20).boxed().toList(), taken);
    }

    /** Without padding, the cursors and what both threads read fit a line; see PaddingTest. */
    @Test
    void theFieldsOfAnUnpaddedRingAreNeighbours() {
        for (Class<?> type : List.of(OneLock.class, NoLock.class, BatchedUnpadded.class)) {
            Map<String, Long> offsets = ClassLayout.parseClass(type).fields().stream()
                    .collect(Collectors.toMap(FieldLayout::name, FieldLayout::offset));
            assertEquals(8, Math.abs(offsets.get("tail") - offsets.get("head")), type.getName());
            for (String field : List.of("mask", "slots")) {
                assertTrue(Math.abs(offsets.get("tail") - offsets.get(field)) < 64);
            }
        }
    }

    @Test
    void aStepAsksForAPowerOfTwoAndTheJdksQueueDoesNot() {
        LadderBenchmark benchmark = new LadderBenchmark();
        assertFails(
                "capacity=1000: ONE_LOCK needs a power of two, such as 512 or 1024.",
                Points.set(benchmark, "mechanism=ONE_LOCK capacity=1000")::check);
        assertFails(
                "capacity=2: JCTOOLS_SPSC has at least 4 places.",
                Points.set(benchmark, "mechanism=JCTOOLS_SPSC capacity=2")::check);
        Points.set(benchmark, "mechanism=ARRAY_BLOCKING_QUEUE capacity=1000").check();
    }
}
