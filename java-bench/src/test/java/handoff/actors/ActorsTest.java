package handoff.actors;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.BadInput;
import handoff.machine.Placement;
import handoff.machine.Topology;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class ActorsTest {
    static Stream<Arguments> cases() {
        return Stream.of(Mechanism.values()).flatMap(mechanism -> Stream.of(Route.values()).flatMap(route ->
            Stream.of(Generator.values()).map(generator -> Arguments.of(mechanism, route, generator))));
    }

    private static Findings shoot(int workers, Script script, Function<Scenario, Scheduler> opening) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                Trial trial = Trial.behindStarter(Placement.COMPACT, Rules.roles(workers));
                Shot shot = trial.shot(workers, script.events(), Stage.expected(script));
                Stage stage = new Stage(script, shot.tallies(), shot.crew());
                Scheduler scheduler = opening.apply(new Scenario(stage, workers, script.route(), shot.crew()));
                stage.open(scheduler);
                shot.ready();
                shot.start();
                scheduler.publish(0);
                shot.finish(stage.done());
                trial.close(shot, scheduler::stop);
                stage.verify(script.outcome());
                return stage.findings(null);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }, task -> new Thread(task).start()).join();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyMessageIsDealtWithOnceByOneThreadAtATime(Mechanism mechanism, Route route, Generator generator) {
        for (int workers : new int[] {1, 2, 5}) {
            for (int perworker : new int[] {1, 3, 40}) {
                Script script = new Script(workers * perworker, 200L * workers * perworker + 1, 64, 5, generator, route);
                assertDoesNotThrow(() -> shoot(workers, script, mechanism::open), mechanism + " " + workers + " " + perworker);
            }
        }
    }

    /** The i-th actor's thread is the same from its first message to its last. */
    @Test
    void dedicatedActorsStay() {
        for (Mechanism mechanism : new Mechanism[] {Mechanism.DEDICATED_SCHEDULED, Mechanism.DEDICATED_CORRECTED}) {
            for (Route route : Route.values()) {
                Script script = new Script(6, 3_000, 64, 5, Generator.CHEAP, route);
                assertEquals(1.0, shoot(2, script, mechanism::open).measures().get("stayed"));
            }
        }
    }

    @Test
    void aPoolsActorsMove() {
        Script script = new Script(6, 30_000, 64, 5, Generator.CHEAP, Route.SELF);
        double stayed = shoot(2, script, Mechanism.THREAD_POOL::open).measures().get("stayed");
        assertTrue(stayed > 0 && stayed < 1, "" + stayed);
    }

    /** Sends one message to the wrong actor. */
    private static final class Careless extends Scheduler {
        private final Stage stage;
        private int sent;

        Careless(Scenario scenario) {
            super(scenario.stage());
            stage = scenario.stage();
            scenario.stage().enlist(0);
            scenario.crew().newThread(() -> scenario.crew().ready()).start();
        }

        @Override
        void send(Message message) {
            if (++sent == 10) {
                message.at = stage.actors().get(1 - message.at.number);
            }
            stage.turn(message);
        }
    }

    @Test
    void aMessageForAnotherActorIsNoticed() {
        Script script = new Script(2, 100, 64, 5, Generator.CHEAP, Route.SELF);
        RuntimeException noticed = assertThrows(RuntimeException.class, () -> shoot(1, script, Careless::new));
        assertTrue(noticed.getMessage().contains("lost, repeated"), noticed.getMessage());
    }

    @Test
    void anActorThatTwoThreadsRanIsNoticed() {
        Script script = new Script(2, 100, 64, 5, Generator.CHEAP, Route.SELF);
        Stage stage = new Stage(script, List.of(), null);
        stage.actors().forEach(actor -> {
            for (int i = 0; i < 50 - actor.number; i++) {
                actor.handle(5);
            }
        });
        assertThrows(IllegalStateException.class, () -> stage.verify(script.outcome()));
        stage.actors().get(1).handle(5);
        assertDoesNotThrow(() -> stage.verify(script.outcome()));
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        Map<String, String> point = new HashMap<>(Map.of("mechanism", "SOFT_AFFINITY", "workers", "2", "perworker", "3", "events", "600",
            "bytes", "64", "placement", "COMPACT", "collector", "PARALLEL"));
        assertDoesNotThrow(() -> new Rules().plan(point, Topology.read(Path.of("/"))));
        Map.of("events", "5", "bytes", "63").forEach((name, value) -> {
            Map<String, String> wrong = new HashMap<>(point);
            wrong.put(name, value);
            BadInput refused = assertThrows(BadInput.class, () -> new Rules().plan(wrong, Topology.read(Path.of("/"))));
            assertTrue(refused.getMessage().startsWith(name + "=" + value), refused.getMessage());
        });
    }
}
