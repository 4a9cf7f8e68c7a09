package handoff.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Whole shots of a mechanism, for tests of what every mechanism promises.
 *
 * @param roles the threads; the first is the producer
 * @param consumers number of consumers
 * @param events number of events; more than 100, where a consumer has to fail
 * @param opening creates the mechanism
 */
public record Shots(List<String> roles, int consumers, int events, Opening opening) {
    private static final Work WORK = new Work(Order.SHUFFLED, Sort.TODAY, 1);

    /** Creates a mechanism with these consumers and the team's threads. */
    public interface Opening {
        Handoff open(List<EventConsumer> consumers, ThreadTeam team);
    }

    /** Fires one shot whose consumers work. */
    public void fire() {
        fire(tally -> new EventConsumer(WORK, tally));
    }

    /** Fires one shot and asserts that each event reached a consumer once. */
    public void assertExactlyOnce() {
        AtomicIntegerArray seen = new AtomicIntegerArray(events);
        fire(tally -> new EventConsumer(WORK, tally) {
            @Override
            public void accept(Event event) {
                seen.incrementAndGet((int) event.value);
                super.accept(event);
            }
        });
        assertEquals(
                List.of(),
                IntStream.range(0, events).filter(i -> seen.get(i) != 1).boxed().toList());
    }

    /** Fires one shot with a consumer that throws once, "on purpose". */
    public void fireWithAFailure() {
        fire(tally -> new EventConsumer(WORK, tally) {
            @Override
            public void accept(Event event) {
                if (event.value == 100) {
                    throw new IllegalStateException("consumer failed on purpose");
                }
                super.accept(event);
            }
        });
    }

    /** Fires one shot with a consumer that does not work on one event. */
    public void fireWithAWrongResult() {
        fire(tally -> new EventConsumer(WORK, tally) {
            @Override
            public void accept(Event event) {
                tally.add(event.value == 100 ? 0 : WORK.process(event.value));
            }
        });
    }

    private void fire(Function<Tally, EventConsumer> body) {
        onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.COMPACT, roles);
            Shot shot = trial.shot(
                    consumers,
                    events,
                    Expected.shared(events, Work.checksum(LongStream.range(0, events))));
            return shoot(
                    trial,
                    shot,
                    opening.open(shot.tallies().stream().map(body).toList(), shot.team()));
        });
    }

    /** Fires a shot of an open mechanism, and closes it; no thread outlives a shot that fails. */
    public static Shot shoot(Trial trial, Shot shot, Handoff handoff) throws InterruptedException {
        try {
            shot.ready();
            shot.start();
            handoff.publish(shot.events());
            shot.finish();
            trial.close(shot, handoff::stop, () -> Findings.NONE);
            return shot;
        } catch (RuntimeException failed) {
            shot.team().shutDown(handoff::stop);
            throw failed;
        }
    }

    /**
     * Runs a body on a thread of its own: pinning the test runner would also pin threads that it
     * starts later.
     */
    public static <T> T onOwnThread(Callable<T> body) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return body.call();
                            } catch (Exception failed) {
                                throw new IllegalStateException(failed);
                            }
                        },
                        task -> new Thread(task).start())
                .join();
    }
}
