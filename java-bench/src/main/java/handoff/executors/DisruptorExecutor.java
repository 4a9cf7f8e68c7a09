package handoff.executors;

import disruptor3.EventHandler;
import disruptor3.RingBuffer;
import disruptor3.WaitStrategy;
import disruptor3.WorkHandler;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import handoff.mechanism.Handoff;
import handoff.mechanism.ReadyHandler;
import handoff.mechanism.Release3;

/**
 * Base of both Disruptor executors: a ring of tasks, workers, and a thread that collects the
 * results after all of them.
 */
abstract class DisruptorExecutor implements Handoff {
    private static final int CAPACITY = 16_384;

    private final Disruptor<Task> disruptor;
    private final RingBuffer<Task> ring;
    private final int threads;

    DisruptorExecutor(ExecutorsSetup setup, WaitStrategy waiting) {
        threads = setup.threads();
        disruptor = Release3.open(
                () -> setup.job().task(-1), CAPACITY, setup.team(), ProducerType.SINGLE, waiting);
        attach(disruptor, setup);
        ring = disruptor.start();
    }

    /** Adds a handler per worker, then the collector. */
    abstract void attach(Disruptor<Task> disruptor, ExecutorsSetup setup);

    @Override
    public void publish(long events) {
        int turn = 0;
        for (int slice = 0; slice < events; slice++) {
            long sequence = ring.next();
            ring.get(sequence).refill(slice, turn);
            ring.publish(sequence);
            turn = turn == threads - 1 ? 0 : turn + 1;
        }
    }

    @Override
    public void stop() {
        disruptor.halt();
    }

    /** The thread that adds up the results, as a handler or as a worker pool of one. */
    static final class Collector extends ReadyHandler
            implements EventHandler<Task>, WorkHandler<Task> {
        private final WorkerSum ledger;

        Collector(ExecutorsSetup setup) {
            super(setup.team());
            ledger = setup.job().ledger(0);
        }

        @Override
        public void onEvent(Task task, long sequence, boolean endOfBatch) {
            task.collect(ledger);
        }

        @Override
        public void onEvent(Task task) {
            task.collect(ledger);
        }
    }
}
