package handoff.actors;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.work.Shots;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ActorsTest {
    static Stream<Arguments> cases() {
        return Stream.of(ActorsMechanism.values())
                .flatMap(mechanism -> Stream.of(Route.values())
                        .flatMap(route -> Stream.of(AccessGenerator.values())
                                .map(generator -> Arguments.of(mechanism, route, generator))));
    }

    private static Findings shoot(
            int workers, ActorsWorkload workload, Function<ActorsSetup, Scheduler> opening) {
        return Shots.onOwnThread(() -> {
            Trial trial = new Trial(PlacementRule.COMPACT
                    .plan(Topology.here(), Plan.counted("worker", workers))
                    .behindStarter());
            Shot shot = trial.shot(workers, workload.events(), ActorGroup.expected(workload));
            ActorGroup group = new ActorGroup(workload, shot.tallies(), shot.team());
            Scheduler scheduler =
                    opening.apply(new ActorsSetup(group, workers, workload.route(), shot.team()));
            group.open(scheduler);
            shot.ready();
            shot.start();
            scheduler.publish(0);
            shot.finish(group.done());
            trial.close(shot, scheduler::stop, () -> group.findings(null));
            group.verify(workload.outcome());
            return group.findings(null);
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyMessageIsHandledOnceByOneThreadAtATime(
            ActorsMechanism mechanism, Route route, AccessGenerator generator) {
        for (int workers : new int[] {1, 2, 5}) {
            for (int perworker : new int[] {1, 3, 40}) {
                ActorsWorkload workload = new ActorsWorkload(
                        workers * perworker,
                        200L * workers * perworker + 1,
                        64,
                        5,
                        generator,
                        route);
                assertDoesNotThrow(
                        () -> shoot(workers, workload, mechanism::open),
                        mechanism + " " + workers + " " + perworker);
            }
        }
    }

    /** Checks that an actor keeps its thread from its first message to its last. */
    @Test
    void dedicatedActorsStay() {
        for (ActorsMechanism mechanism : new ActorsMechanism[] {
            ActorsMechanism.DEDICATED_SCHEDULED, ActorsMechanism.DEDICATED_CORRECTED
        }) {
            for (Route route : Route.values()) {
                ActorsWorkload workload =
                        new ActorsWorkload(6, 3_000, 64, 5, AccessGenerator.CHEAP, route);
                assertEquals(1.0, shoot(2, workload, mechanism::open).measures().get("stayed"));
            }
        }
    }

    /** On a busy machine one thread may handle all messages of a shot, but not of every shot. */
    @Test
    void aPoolsActorsMove() {
        ActorsWorkload workload =
                new ActorsWorkload(6, 30_000, 64, 5, AccessGenerator.CHEAP, Route.SELF);
        double stayed = 1;
        for (int shot = 0; shot < 50 && stayed == 1; shot++) {
            stayed = shoot(2, workload, ActorsMechanism.THREAD_POOL::open)
                    .measures()
                    .get("stayed");
        }
        assertTrue(stayed > 0 && stayed < 1, "" + stayed);
    }

    /** Sends one message to the wrong actor. */
    private static final class Careless extends Scheduler {
        private final ActorGroup group;
        private int sent;

        Careless(ActorsSetup setup) {
            super(setup.group());
            group = setup.group();
            setup.group().register(0);
            setup.team().newThread(() -> setup.team().ready()).start();
        }

        @Override
        void send(Message message) {
            if (++sent == 10) {
                message.at = group.actors().get(1 - message.at.number);
            }
            group.turn(message);
        }
    }

    @Test
    void aMessageForAnotherActorIsNoticed() {
        ActorsWorkload workload =
                new ActorsWorkload(2, 100, 64, 5, AccessGenerator.CHEAP, Route.SELF);
        RuntimeException noticed =
                assertThrows(RuntimeException.class, () -> shoot(1, workload, Careless::new));
        assertTrue(noticed.getMessage().contains("lost, repeated"), noticed.getMessage());
    }

    @Test
    void anActorRunByTwoThreadsIsNoticed() {
        ActorsWorkload workload =
                new ActorsWorkload(2, 100, 64, 5, AccessGenerator.CHEAP, Route.SELF);
        ActorGroup group = new ActorGroup(workload, List.of(), null);
        group.actors().forEach(actor -> {
            for (int i = 0; i < 50 - actor.number; i++) {
                actor.handle(5);
            }
        });
        assertThrows(IllegalStateException.class, () -> group.verify(workload.outcome()));
        group.actors().get(1).handle(5);
        assertDoesNotThrow(() -> group.verify(workload.outcome()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"events=5", "bytes=63"})
    void contradictoryParametersAreRefused(String wrong) {
        String right = "mechanism=SOFT_AFFINITY workers=2 perworker=3 events=600 bytes=64"
                + " placement=COMPACT collector=PARALLEL ";
        assertDoesNotThrow(() -> Points.set(new ActorsBenchmark(), right).plan(Topology.here()));
        String refusal = Points.refusal(new ActorsBenchmark(), right + wrong);
        assertTrue(refusal.startsWith(wrong), refusal);
    }
}
