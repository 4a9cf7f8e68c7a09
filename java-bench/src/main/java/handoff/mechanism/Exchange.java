package handoff.mechanism;

/** A queue between one producer and its consumers: each item is taken once, in order. */
public interface Exchange<T> {
    /** Waits while the queue is full. */
    void put(T item) throws InterruptedException;

    /** Waits while the queue is empty. */
    T take() throws InterruptedException;
}
