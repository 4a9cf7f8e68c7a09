package handoff.executors;

import disruptor3.EventHandler;
import disruptor3.SleepingWaitStrategy;
import disruptor3.dsl.Disruptor;
import handoff.measure.ThreadTeam;
import handoff.mechanism.ReadyHandler;
import handoff.mechanism.Release3;
import java.util.stream.IntStream;

/**
 * The post's column "disruptor2": every worker sees every task and computes each n-th one.
 *
 * <pre>
 *                         ┌─ sees all ─ W1 ─┐
 *   P ── publish ──▶ ring ┼─ sees all ─ W2 ─┼─▶ C     C adds up the results
 *                         └─ sees all ─ Wn ─┘
 * </pre>
 */
final class DisruptorPartitioned extends DisruptorExecutor {
    /**
     * Default of release 3.2, which the post used: a hundred spins, a hundred yields, then sleeps
     * of a nanosecond.
     */
    private static final int RETRIES = 200;

    private static final int SLEEP_NS = 1;

    DisruptorPartitioned(ExecutorsSetup setup) {
        super(setup, wait(setup.release()));
    }

    /** Returns the same strategy in each release: 3.2.0 has it as its only one. */
    private static SleepingWaitStrategy wait(String release) {
        return release.equals(Release3.V3_2_0.toString())
                ? new SleepingWaitStrategy()
                : new SleepingWaitStrategy(RETRIES, SLEEP_NS);
    }

    @Override
    void attach(Disruptor<Task> disruptor, ExecutorsSetup setup) {
        disruptor
                .handleEventsWith(IntStream.range(0, setup.threads())
                        .mapToObj(ordinal -> new Worker(setup.team(), ordinal))
                        .toArray(Worker[]::new))
                .then(new Collector(setup));
    }

    private static final class Worker extends ReadyHandler implements EventHandler<Task> {
        private final int ordinal;

        Worker(ThreadTeam team, int ordinal) {
            super(team);
            this.ordinal = ordinal;
        }

        @Override
        public void onEvent(Task task, long sequence, boolean endOfBatch) {
            if (task.turn() == ordinal) {
                task.compute();
            }
        }
    }
}
