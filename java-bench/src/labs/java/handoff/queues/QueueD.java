package handoff.queues;

/** One of the six queues of lab 5: five of them have one fault each. */
public final class QueueD<T> implements BoundedQueue<T> {
    private final Object[] items;
    private volatile long head;
    private volatile long tail;

    public QueueD(int capacity) {
        items = new Object[capacity];
    }

    @Override
    public boolean offer(T item) {
        long place = tail;
        if (place - head > items.length) {
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
        T item = (T) items[(int) (place % items.length)];
        head = place + 1;
        return item;
    }
}
