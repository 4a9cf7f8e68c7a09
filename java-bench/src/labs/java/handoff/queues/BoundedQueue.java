package handoff.queues;

/** A queue for one producer and one consumer, of a fixed capacity, that never waits. */
public interface BoundedQueue<T> {
    /**
     * @return false where there is no room
     */
    boolean offer(T item);

    /**
     * @return the oldest item; null where there is none
     */
    T poll();
}
