package handoff.mechanism;

/** A queue that never blocks, and threads that try again until it succeeds. */
public abstract class PolledExchange<T> implements Exchange<T> {
    private final IdleStrategy strategy;

    protected PolledExchange(IdleStrategy strategy) {
        this.strategy = strategy;
    }

    /** Returns false when the queue is full. */
    public abstract boolean offer(T item);

    /** Returns null when the queue is empty. */
    public abstract T poll();

    @Override
    public final void put(T item) throws InterruptedException {
        for (int attempt = 1; !offer(item); attempt++) {
            idle(attempt);
        }
    }

    @Override
    public final T take() throws InterruptedException {
        T item = poll();
        for (int attempt = 1; item == null; attempt++) {
            idle(attempt);
            item = poll();
        }
        return item;
    }

    private void idle(int attempt) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        strategy.idle(attempt);
    }
}
