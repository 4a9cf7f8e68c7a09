package handoff.queues;

import handoff.mechanism.Exchange;

/** A queue whose two sides wait: they try again and yield in between. */
final class WaitingQueue<T> implements Exchange<T> {
    private final BoundedQueue<T> queue;

    WaitingQueue(BoundedQueue<T> queue) {
        this.queue = queue;
    }

    @Override
    public void put(T item) throws InterruptedException {
        while (!queue.offer(item)) {
            rest();
        }
    }

    @Override
    public T take() throws InterruptedException {
        T item = queue.poll();
        while (item == null) {
            rest();
            item = queue.poll();
        }
        return item;
    }

    private static void rest() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread.yield();
    }
}
