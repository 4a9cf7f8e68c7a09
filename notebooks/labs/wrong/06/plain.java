// answer: exchange
// wrong: counters that both sides use, and nothing that makes one see what the other wrote
import handoff.mechanism.Exchange;
import java.util.concurrent.atomic.AtomicLong;

/** A ring for one producer and one consumer: each counter has one writer. */
public final class MyExchange<T> implements Exchange<T> {
    private static final int SPINS = 100;

    private final Object[] places;
    private final int mask;
    private final int capacity;
    private long published;
    private long taken;
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
            knownTaken = taken;
            rest(look);
        }
        places[(int) next & mask] = item;
        published = ++next;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T take() throws InterruptedException {
        for (int look = 0; due == knownPublished; look++) {
            knownPublished = published;
            rest(look);
        }
        int place = (int) due & mask;
        T item = (T) places[place];
        places[place] = null;
        taken = ++due;
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
