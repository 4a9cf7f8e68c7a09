package handoff.yours;

import handoff.mechanism.Exchange;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A correct class as a user might write it: it wraps a queue. */
public class RightExchange<T> implements Exchange<T> {
    /**
     * Its name and digest, which is that of nothing: no class file lies at the root of the test
     * classes.
     */
    public static final String WORD = RightExchange.class.getName() + "@" + Digests.OF_NOTHING;

    final BlockingQueue<T> queue;

    public RightExchange(int capacity) {
        this(new ArrayBlockingQueue<>(capacity));
    }

    RightExchange(BlockingQueue<T> queue) {
        this.queue = queue;
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
