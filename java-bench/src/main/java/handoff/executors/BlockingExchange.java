package handoff.executors;

import handoff.mechanism.Exchange;
import java.util.concurrent.BlockingQueue;

/** One of the JDK's blocking queues, which wake who waits. */
record BlockingExchange<T>(BlockingQueue<T> queue) implements Exchange<T> {
    @Override
    public void put(T item) throws InterruptedException {
        queue.put(item);
    }

    @Override
    public T take() throws InterruptedException {
        return queue.take();
    }
}
