package handoff.topologies;

import static handoff.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.measure.Expected;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.TransportMechanism;
import handoff.mechanism.Wait;
import handoff.work.Shots;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks every wiring with every mechanism. */
@Timeout(120)
class TopologyTest {
    private static final int CAPACITY = 64;

    static Stream<Arguments> cases() {
        return Stream.of(Wiring.values())
                .flatMap(topology -> Stream.of(TransportMechanism.values())
                        .flatMap(mechanism -> Stream.of(Accounting.values())
                                .filter(accounting -> mechanism.release() == null
                                        || accounting == Accounting.FAIR)
                                .map(accounting -> Arguments.of(topology, mechanism, accounting))));
    }

    /** Fires a shot that must meet its expectation. */
    private static void shoot(
            Wiring topology,
            TransportMechanism mechanism,
            Accounting accounting,
            Wait wait,
            long events,
            Expected expected) {
        Shots.onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.COMPACT, topology.roles());
            Shot shot = trial.shot(topology.consumers(), events, expected);
            WiringSetup setup =
                    new WiringSetup(mechanism, shot.tallies(), CAPACITY, wait, shot.team());
            return Shots.shoot(trial, shot, topology.open(setup, accounting));
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyConsumerGetsItsEventsAndItsResult(
            Wiring topology, TransportMechanism mechanism, Accounting accounting) {
        for (long events : new long[] {3, 3, 3, 3, 3, 64, 5_000, 5_002}) {
            assertDoesNotThrow(() -> shoot(
                    topology,
                    mechanism,
                    accounting,
                    Wait.YIELDING,
                    events,
                    topology.expected(events)));
        }
    }

    @ParameterizedTest
    @EnumSource(Wait.class)
    void everyWaitStrategyEnds(Wait wait) {
        for (TransportMechanism mechanism :
                List.of(TransportMechanism.DISRUPTOR_3, TransportMechanism.DISRUPTOR_4)) {
            assertDoesNotThrow(() -> shoot(
                    Wiring.DIAMOND,
                    mechanism,
                    Accounting.FAIR,
                    wait,
                    500,
                    Wiring.DIAMOND.expected(500)));
        }
    }

    /** A result that is off by one, in one consumer alone, must fail the shot. */
    @ParameterizedTest
    @MethodSource("cases")
    void aWrongResultIsNoticed(
            Wiring topology, TransportMechanism mechanism, Accounting accounting) {
        Expected right = topology.expected(1_000);
        for (int consumer = 0; consumer < topology.consumers(); consumer++) {
            int which = consumer;
            List<Long> wrong = LongStream.range(0, topology.consumers())
                    .mapToObj(i -> right.checksums().get((int) i) + (i == which ? 1 : 0))
                    .toList();
            assertFails(
                    "lost, repeated or processed wrongly",
                    () -> shoot(
                            topology,
                            mechanism,
                            accounting,
                            Wait.YIELDING,
                            1_000,
                            Expected.each(1_000, wrong)));
        }
    }

    /** Compares the expectations, which are closed formulas, with counting. */
    @Test
    void theExpectedResultsEqualCounting() {
        long events = 1_000;
        long sum = LongStream.range(0, events).sum();
        assertEquals(List.of(sum), Wiring.UNICAST.expected(events).checksums());
        assertEquals(
                List.of(777 * events + sum, 780 * events, events),
                Wiring.PIPELINE.expected(events).checksums());
        assertEquals(
                List.of(LongStream.range(0, 334).sum()
                        + 2 * LongStream.range(0, 333).sum()),
                Wiring.SEQUENCER.expected(events).checksums());
        assertEquals(List.of(sum, -sum, 0L), Wiring.MULTICAST.expected(events).checksums());
        assertEquals(
                List.of(
                        LongStream.range(0, events).filter(i -> i % 3 == 0).count(),
                        LongStream.range(0, events).filter(i -> i % 5 == 0).count(),
                        LongStream.range(0, events).filter(i -> i % 15 == 0).count()),
                Wiring.DIAMOND.expected(events).checksums());
    }

    /** As in the original test: 6,666,667 of a hundred million are divisible by both. */
    @Test
    void theDiamondsPublishedCount() {
        assertEquals(
                6_666_667L, Wiring.DIAMOND.expected(100_000_000).checksums().get(2));
    }

    @Test
    void theThreadsAreNamedAfterTheirRoles() {
        assertEquals(List.of("producer", "consumer-1"), Wiring.UNICAST.roles());
        assertEquals(
                List.of("producer-1", "producer-2", "producer-3", "consumer-1"),
                Wiring.SEQUENCER.roles());
    }
}
