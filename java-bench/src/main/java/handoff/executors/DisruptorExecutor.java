package handoff.executors;

import disruptor3.LifecycleAware;
import disruptor3.RingBuffer;
import disruptor3.WaitStrategy;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import handoff.measure.Crew;
import handoff.mechanism.Handoff;
import handoff.mechanism.Report3;

/** What both Disruptor executors share: a ring made of tasks, and after all workers a thread that collects the results. */
abstract class DisruptorExecutor implements Handoff {
    private static final int CAPACITY = 16_384;

    private final Disruptor<Task> disruptor;
    private final RingBuffer<Task> ring;
    private final int threads;

    DisruptorExecutor(Scenario scenario, WaitStrategy waiting) {
        threads = scenario.threads();
        disruptor = new Disruptor<>(() -> scenario.job().task(-1), CAPACITY, scenario.crew(), ProducerType.SINGLE, waiting);
        disruptor.setDefaultExceptionHandler(new Report3<>(scenario.crew()));
        attach(disruptor, scenario);
        ring = disruptor.start();
    }

    /** Adds a handler for each worker, then the collector. */
    abstract void attach(Disruptor<Task> disruptor, Scenario scenario);

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

    /** Ready only when its processor can be halted again. */
    abstract static class Handler implements LifecycleAware {
        private final Crew crew;

        Handler(Crew crew) {
            this.crew = crew;
        }

        @Override
        public void onStart() {
            crew.ready();
        }

        @Override
        public void onShutdown() {
            // Nothing is open.
        }
    }
}
