package handoff.ladder;

import handoff.mechanism.IdleStrategy;
import handoff.work.EventConsumer;

/** A step that waits without sleeping: it tries until it succeeds, with one idle policy for all. */
interface PolledStep extends Step {
    /** Takes one event or a batch and works on it; returns false when the queue is empty. */
    boolean poll(EventConsumer consumer) throws InterruptedException;

    @Override
    default void take(EventConsumer consumer) throws InterruptedException {
        for (int attempt = 1; !poll(consumer); attempt++) {
            idle(attempt);
        }
    }

    /** Waits between two attempts; the interrupt that ends a shot is noticed here. */
    static void idle(int attempt) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        IdleStrategy.TRY_THEN_YIELD.idle(attempt);
    }
}
