package handoff.queues;

/** A queue for one producer and one consumer, of a fixed capacity, that never waits. */
public interface BoundedQueue<T> {
    /**
     * @return false when there is no room
     */
    boolean offer(T item);

    /**
     * @return the oldest item; null when there is none
     */
    T poll();
}
