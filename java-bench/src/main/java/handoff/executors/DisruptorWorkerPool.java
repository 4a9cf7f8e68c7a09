package handoff.executors;

import disruptor3.BlockingWaitStrategy;
import disruptor3.WorkHandler;
import disruptor3.dsl.Disruptor;
import handoff.measure.ThreadTeam;
import handoff.mechanism.ReadyHandler;
import java.util.stream.Stream;

/**
 * The post's column "disruptor": workers claim tasks, and a pool of one thread collects.
 *
 * <pre>
 *                         ┌─ claims ─ W1 ─┐
 *   P ── publish ──▶ ring ┼─ claims ─ W2 ─┼─▶ C     C adds up the results in the ring's order
 *                         └─ claims ─ Wn ─┘
 * </pre>
 */
final class DisruptorWorkerPool extends DisruptorExecutor {
    DisruptorWorkerPool(ExecutorsSetup setup) {
        super(setup, new BlockingWaitStrategy());
    }

    @Override
    void attach(Disruptor<Task> disruptor, ExecutorsSetup setup) {
        Worker[] workers = Stream.generate(() -> new Worker(setup.team()))
                .limit(setup.threads())
                .toArray(Worker[]::new);
        disruptor
                .handleEventsWithWorkerPool(workers)
                .thenHandleEventsWithWorkerPool(new Collector(setup));
    }

    private static final class Worker extends ReadyHandler implements WorkHandler<Task> {
        Worker(ThreadTeam team) {
            super(team);
        }

        @Override
        public void onEvent(Task task) {
            task.compute();
        }
    }
}
