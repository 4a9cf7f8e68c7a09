package handoff.executors;

/** Where one producer puts tasks and workers take them. */
interface Exchange<T> {
    /** Waits while there is no room. */
    void put(T item) throws InterruptedException;

    /** Waits while there is nothing. */
    T take() throws InterruptedException;
}
