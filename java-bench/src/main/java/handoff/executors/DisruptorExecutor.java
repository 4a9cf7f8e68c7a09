package handoff.executors;

import disruptor3.LifecycleAware;
import disruptor3.RingBuffer;
import disruptor3.WaitStrategy;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import handoff.measure.Crew;
import handoff.mechanism.Report3;

/** What both Disruptor executors share: a ring of tasks, and after all workers a thread that collects the results. */
abstract class DisruptorExecutor extends Submission {
    private static final int CAPACITY = 16_384;

    /** A place in the ring: workers and collector find the task there, and whose turn it is. */
    static final class Slot {
        Task task;
        int turn;
    }

    private final Disruptor<Slot> disruptor;
    private final RingBuffer<Slot> ring;
    private final int threads;
    private int turn;

    DisruptorExecutor(Scenario scenario, WaitStrategy waiting) {
        super(scenario.job());
        threads = scenario.threads();
        disruptor = new Disruptor<>(Slot::new, CAPACITY, scenario.crew(), ProducerType.SINGLE, waiting);
        disruptor.setDefaultExceptionHandler(new Report3<>(scenario.crew()));
        attach(disruptor, scenario);
        ring = disruptor.start();
    }

    /** Adds a handler for each worker, then the collector. */
    abstract void attach(Disruptor<Slot> disruptor, Scenario scenario);

    @Override
    void submit(Task task) {
        long sequence = ring.next();
        Slot slot = ring.get(sequence);
        slot.task = task;
        slot.turn = turn;
        ring.publish(sequence);
        if (++turn == threads) {
            turn = 0;
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
