package handoff.queues;

/** A ring with one fault. */
final class FaultyQueue<T> implements BoundedQueue<T> {
    private final Fault fault;
    private final int capacity;
    private final Object[] items;
    private volatile long head;
    private volatile long tail;
    private volatile int count;
    private volatile boolean empty = true;
    private boolean skipped;

    FaultyQueue(Fault fault, int capacity) {
        this.fault = fault;
        this.capacity = switch (fault) {
            case HOLDS_ONE_MORE -> capacity + 1;
            case HOLDS_ONE_LESS -> capacity - 1;
            default -> capacity;
        };
        items = new Object[this.capacity];
    }

    @Override
    public boolean offer(T item) {
        long place = tail;
        if (isFull(place)) {
            return fault == Fault.LOSES_WHEN_FULL;
        }
        if (fault == Fault.PUBLISHES_FIRST) {
            tail = place + 1;
        }
        items[index(place)] = item;
        if (fault == Fault.COUNTS_TORN) {
            count = count + 1;
        }
        tail = place + 1;
        empty = false;
        return true;
    }

    private boolean isFull(long place) {
        return fault == Fault.COUNTS_TORN ? count == capacity : place - head == capacity;
    }

    @Override
    public T poll() {
        long place = head;
        long published = tail;
        if (isEmpty(place, published)) {
            return null;
        }
        if (fault == Fault.EMPTY_AT_WRAP && index(place) == capacity - 1 && !skipped) {
            skipped = true;
            return null;
        }
        skipped = false;
        boolean freesFirst = fault == Fault.FREES_FIRST
                || fault == Fault.FREES_FIRST_WHEN_FULL && published - place == capacity;
        if (freesFirst) {
            head = place + 1;
        }
        T item = read(place, published);
        if (fault == Fault.COUNTS_TORN) {
            count = count - 1;
        }
        head = place + 1;
        if (fault == Fault.SHARES_A_FLAG && place + 1 == tail) {
            empty = true;
        }
        return item;
    }

    private boolean isEmpty(long place, long published) {
        return switch (fault) {
            case COUNTS_TORN -> count == 0;
            case SHARES_A_FLAG -> empty;
            case PUBLISHES_LATE -> published - place < 2;
            default -> place == published;
        };
    }

    @SuppressWarnings("unchecked")
    private T read(long place, long published) {
        if (fault == Fault.TAKES_NEWEST && published - place == 2) {
            T newest = (T) items[index(place + 1)];
            items[index(place + 1)] = items[index(place)];
            return newest;
        }
        if (fault == Fault.REPEATS_AT_WRAP && index(place) == capacity - 1 && capacity > 1) {
            return (T) items[index(place - 1)];
        }
        return (T) items[index(place)];
    }

    private int index(long place) {
        return (int) (place % items.length);
    }
}
