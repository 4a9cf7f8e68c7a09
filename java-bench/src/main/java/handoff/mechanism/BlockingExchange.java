package handoff.mechanism;

import java.util.concurrent.BlockingQueue;

/** A blocking queue of the JDK, which wakes its waiting threads. */
public record BlockingExchange<T>(BlockingQueue<T> queue) implements Exchange<T> {
    @Override
    public void put(T item) throws InterruptedException {
        queue.put(item);
    }

    @Override
    public T take() throws InterruptedException {
        return queue.take();
    }
}
