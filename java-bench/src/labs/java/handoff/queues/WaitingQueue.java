package handoff.queues;

import handoff.mechanism.PolledExchange;

/** A queue whose two sides wait: they try again and yield in between. */
final class WaitingQueue<T> extends PolledExchange<T> {
    private final BoundedQueue<T> queue;

    WaitingQueue(BoundedQueue<T> queue) {
        super(attempt -> Thread.yield());
        this.queue = queue;
    }

    @Override
    public boolean offer(T item) {
        return queue.offer(item);
    }

    @Override
    public T poll() {
        return queue.poll();
    }
}
