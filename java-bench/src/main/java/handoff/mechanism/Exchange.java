package handoff.mechanism;

/** Where one producer puts items and consumers take them, each once and in order. */
public interface Exchange<T> {
    /** Waits while there is no room. */
    void put(T item) throws InterruptedException;

    /** Waits while there is nothing. */
    T take() throws InterruptedException;
}
