package handoff.yours;

import handoff.mechanism.Exchange;
import java.util.concurrent.ArrayBlockingQueue;

/** What somebody could have written: it wraps a queue that is right. */
public final class RightExchange<T> implements Exchange<T> {
    /**
     * Names it: no class file lies at the root of the test classes, so the digest is that of
     * nothing.
     */
    public static final String WORD = RightExchange.class.getName() + "@" + Digests.OF_NOTHING;

    private final ArrayBlockingQueue<T> queue;

    public RightExchange(int capacity) {
        queue = new ArrayBlockingQueue<>(capacity);
    }

    @Override
    public void put(T item) throws InterruptedException {
        queue.put(item);
    }

    @Override
    public T take() throws InterruptedException {
        return queue.take();
    }
}
