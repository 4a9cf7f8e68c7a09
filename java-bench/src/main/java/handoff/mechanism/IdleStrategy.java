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
     * @param attempt number of the attempt that failed, from 1
     */
    void idle(int attempt);
}
