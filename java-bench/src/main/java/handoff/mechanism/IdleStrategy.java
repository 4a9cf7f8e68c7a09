package handoff.mechanism;

/** What a thread does between two attempts at something that is not ready. Nothing wakes it. */
public interface IdleStrategy {
    /**
     * Spins for a hundred attempts, then yields, as a yielding Disruptor does: the thread that it
     * waits for may need this core.
     */
    IdleStrategy SPIN_THEN_YIELD = attempt -> {
        if (attempt < 100) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    };

    /**
     * The Disruptor's yielding, exactly: a hundred attempts without a pause, then yields between
     * attempts.
     */
    IdleStrategy TRY_THEN_YIELD = attempt -> {
        if (attempt > 100) {
            Thread.yield();
        }
    };

    /**
     * @param attempt number of the attempt that failed, from 1
     */
    void idle(int attempt);
}
