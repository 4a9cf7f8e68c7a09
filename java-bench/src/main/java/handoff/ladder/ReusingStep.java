package handoff.ladder;

/** A step whose events stay in their slots: the producer writes the value into the next one. */
interface ReusingStep extends PolledStep {
    /** Returns false when the queue is full. */
    boolean offer(long value);

    @Override
    default void put(long value) throws InterruptedException {
        for (int attempt = 1; !offer(value); attempt++) {
            PolledStep.idle(attempt);
        }
    }
}
