// answer: exchange
// wrong: says that there is an item before it is written
import handoff.mechanism.Exchange;
import java.util.concurrent.atomic.AtomicLong;

/** A ring for one producer and one consumer: each counter has one writer. */
public final class MyExchange<T> implements Exchange<T> {
    private static final int SPINS = 100;

    private final Object[] places;
    private final int mask;
    private final int capacity;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private long next;
    private long knownTaken;
    private long due;
    private long knownPublished;

    public MyExchange(int capacity) {
        this.capacity = capacity;
        places = new Object[Integer.highestOneBit(2 * capacity - 1)];
        mask = places.length - 1;
    }

    @Override
    public void put(T item) throws InterruptedException {
        for (int look = 0; next - knownTaken == capacity; look++) {
            knownTaken = taken.getAcquire();
            rest(look);
        }
        published.setRelease(next + 1);
        places[(int) next++ & mask] = item;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T take() throws InterruptedException {
        for (int look = 0; due == knownPublished; look++) {
            knownPublished = published.getAcquire();
            rest(look);
        }
        int place = (int) due & mask;
        T item = (T) places[place];
        places[place] = null;
        taken.setRelease(++due);
        return item;
    }

    private static void rest(int look) throws InterruptedException {
        if (look < SPINS) {
            Thread.onSpinWait();
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread.yield();
    }
}
