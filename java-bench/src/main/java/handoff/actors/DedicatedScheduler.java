package handoff.actors;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Runs every actor on one thread that it shares with others: actor i on thread i modulo n.
 *
 * <pre>
 *    send to A1 ──▶ queue ──▶ T1        A1, A3, A5 only ever run here
 *    send to A2 ──▶ queue ──▶ T2
 * </pre>
 */
final class DedicatedScheduler extends Scheduler {
    private final List<ExecutorService> threads;

    /**
     * @param executor creates the single-thread executor with this number, from 0
     */
    DedicatedScheduler(ActorsSetup setup, IntFunction<ExecutorService> executor) {
        super(setup.group());
        threads = IntStream.range(0, setup.workers()).mapToObj(executor).toList();
    }

    @Override
    void send(Message message) {
        threads.get(message.at.number % threads.size()).execute(message);
    }

    @Override
    public void stop() {
        threads.forEach(ExecutorService::shutdownNow);
    }
}
