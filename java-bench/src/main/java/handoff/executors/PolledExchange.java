package handoff.executors;

import handoff.mechanism.Exchange;

/** A queue that answers at once, and threads that rest between two questions. */
abstract class PolledExchange<T> implements Exchange<T> {
    private final Idle idle;

    PolledExchange(Idle idle) {
        this.idle = idle;
    }

    /** False when there is no room. */
    abstract boolean offer(T item);

    /** Null when there is nothing. */
    abstract T poll();

    @Override
    public final void put(T item) throws InterruptedException {
        while (!offer(item)) {
            rest();
        }
    }

    @Override
    public final T take() throws InterruptedException {
        T item = poll();
        while (item == null) {
            rest();
            item = poll();
        }
        return item;
    }

    /** Rests, unless an interrupt asks to end. */
    private void rest() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        idle.rest();
    }
}
