package handoff.queues;

/** One of the six queues of lab 5: five of them have one fault each. */
public final class QueueF<T> implements BoundedQueue<T> {
    private final Object[] items;
    private volatile long head;
    private volatile long tail;

    public QueueF(int capacity) {
        items = new Object[capacity];
    }

    @Override
    public boolean offer(T item) {
        long place = tail;
        if (place - head == items.length) {
            return false;
        }
        items[(int) (place % items.length)] = item;
        tail = place + 1;
        return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T poll() {
        long place = head;
        if (place == tail) {
            return null;
        }
        head = place + 1;
        return (T) items[(int) (place % items.length)];
    }
}
