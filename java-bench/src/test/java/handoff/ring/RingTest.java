package handoff.ring;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.Topology;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Carriers;
import handoff.work.Shots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class RingTest {
    private static final int NODES = 100;

    static Stream<RingMechanism> rings() {
        return Stream.of(RingMechanism.values())
                .filter(mechanism -> mechanism != RingMechanism.PI_TASKS)
                .filter(mechanism -> mechanism != RingMechanism.VIRTUAL_THREAD_PER_NODE
                        || Runtime.version().feature() >= Carriers.SINCE);
    }

    static Stream<Arguments> cases() {
        return rings().flatMap(mechanism -> Stream.of(GeneratorSharing.values())
                .map(generator -> Arguments.of(mechanism, generator)));
    }

    /** Runs one shot; returns the names of the team's threads. */
    private static List<String> shoot(
            RingMechanism mechanism,
            int threads,
            int tokens,
            int work,
            long events,
            GeneratorSharing generator,
            Serialisation serialisation,
            Function<RingSetup, RingHandoff> opening) {
        return Shots.onOwnThread(() -> {
            Trial trial = new Trial(Points.set(
                            new RingBenchmark(),
                            "placement=COMPACT collector=PARALLEL mechanism=" + mechanism
                                    + " size=" + NODES + " tokens=" + tokens + " events=" + events
                                    + " threads=" + threads)
                    .plan(Topology.here()));
            Shot shot = trial.shot(
                    mechanism.parts(tokens), events, mechanism.expected(NODES, tokens, events));
            RingHandoff rounds = opening.apply(new RingSetup(
                    threads,
                    NODES,
                    events,
                    work,
                    generator,
                    serialisation,
                    shot.tallies(),
                    shot.team()));
            shot.ready();
            shot.start();
            rounds.publish(events);
            shot.finish(rounds.done());
            trial.close(shot, rounds::stop, () -> Findings.NONE);
            rounds.verify();
            return shot.team().members().stream()
                    .map(member -> member.slot().role())
                    .toList();
        });
    }

    @ParameterizedTest
    @MethodSource("rings")
    void everyTokenMakesEveryHopOnceInOrder(RingMechanism mechanism) {
        // A JVM creates its carriers once.
        for (int threads : mechanism == RingMechanism.VIRTUAL_THREAD_PER_NODE
                ? new int[] {2}
                : new int[] {1, 2, 5}) {
            for (int tokens : new int[] {1, 4, 16}) {
                List<String> roles = shoot(
                        mechanism,
                        threads,
                        tokens,
                        0,
                        20L * NODES * tokens,
                        GeneratorSharing.PER_THREAD,
                        Serialisation.AS_PUBLISHED,
                        mechanism::open);
                assertEquals(
                        1 + (mechanism == RingMechanism.THREAD_PER_NODE ? NODES : threads),
                        roles.size());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theWorkFindsPiWithEveryGenerator(RingMechanism mechanism, GeneratorSharing generator) {
        assertDoesNotThrow(() -> shoot(
                mechanism,
                2,
                4,
                50,
                20L * NODES * 4,
                generator,
                Serialisation.AS_PUBLISHED,
                mechanism::open));
    }

    @Test
    void aSerialisedPoolLosesNothing() {
        for (int i = 0; i < 20; i++) {
            shoot(
                    RingMechanism.SHARED_POOL,
                    3,
                    16,
                    0,
                    50L * NODES * 16,
                    GeneratorSharing.SHARED,
                    Serialisation.SERIALISED,
                    RingMechanism.SHARED_POOL::open);
        }
    }

    @ParameterizedTest
    @EnumSource(GeneratorSharing.class)
    void bothTasksFindPi(GeneratorSharing generator) {
        for (int threads : new int[] {1, 2}) {
            shoot(
                    RingMechanism.PI_TASKS,
                    threads,
                    1,
                    0,
                    200_002,
                    generator,
                    Serialisation.AS_PUBLISHED,
                    RingMechanism.PI_TASKS::open);
        }
    }

    /** A ring that sends the token past a node once. */
    private static final class Skipping extends RingNodes {
        private int sent;

        Skipping(RingSetup setup) {
            super(setup);
            setup.team().newThread(() -> setup.team().ready()).start();
        }

        @Override
        void send(int node, Token token) {
            receive(++sent == 7 ? node + 1 : node, token);
        }
    }

    @Test
    void aSkippedNodeIsNoticed() {
        RuntimeException noticed = assertThrows(
                RuntimeException.class,
                () -> shoot(
                        RingMechanism.SHARED_POOL,
                        1,
                        1,
                        0,
                        2L * NODES,
                        GeneratorSharing.SHARED,
                        Serialisation.AS_PUBLISHED,
                        Skipping::new));
        assertTrue(
                noticed.getMessage().contains("lost, repeated or processed wrongly"),
                noticed.getMessage());
    }

    @Test
    void dartsThatDoNotMakePiAreNoticed() {
        MonteCarlo.verify(785_398, 1_000_000);
        assertThrows(IllegalStateException.class, () -> MonteCarlo.verify(0, 1_000));
        assertThrows(IllegalStateException.class, () -> MonteCarlo.verify(790_398, 1_000_000));
    }

    /** Runs Scala 2.13, which is Pekko's, and 2.11 in one JVM. */
    @Test
    void theTwoScalasDoNotMix() throws ClassNotFoundException {
        Class<?> nested = NestedJar.SCALA.loadClass("scala.Option");
        assertNotSame(scala.Option.class, nested);
        assertThrows(
                ClassNotFoundException.class,
                () -> NestedJar.SCALA.loadClass("org.apache.pekko.actor.ActorRef"));
        assertThrows(
                ClassNotFoundException.class,
                () -> NestedJar.SCALA.loadClass("handoff.ring.Token"));
        assertThrows(ClassNotFoundException.class, () -> Class.forName("scala.actors.Actor"));
        Map<String, Object> seen = new HashMap<>();
        for (RingMechanism mechanism :
                List.of(RingMechanism.PEKKO, RingMechanism.SCALA_ACTORS, RingMechanism.PEKKO)) {
            seen.put(
                    mechanism.name(),
                    shoot(
                            mechanism,
                            2,
                            4,
                            0,
                            10L * NODES * 4,
                            GeneratorSharing.SHARED,
                            Serialisation.AS_PUBLISHED,
                            mechanism::open));
        }
        assertEquals(2, seen.size());
    }

    private static String refusal(String words) {
        return Points.refusal(
                new RingBenchmark(),
                "mechanism=SHARED_POOL threads=2 size=100 tokens=4 events=4000"
                        + " placement=COMPACT collector=PARALLEL "
                        + words);
    }

    @Test
    void contradictoryParametersAreRefused() {
        assertTrue(refusal("events=4100").contains("a multiple of size x tokens = 400"));
        assertTrue(refusal("mechanism=PI_TASKS events=4101").contains("an even number"));
        if (Runtime.version().feature() < Carriers.SINCE) {
            assertTrue(refusal("mechanism=VIRTUAL_THREAD_PER_NODE").contains("needs JDK 21"));
        }
    }
}
