package handoff.mechanism;

import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;

/** JCTools' ring for a single producer. */
public final class JctoolsExchange<T> extends PolledExchange<T> {
    private final SpmcVarHandleArrayQueue<T> queue;

    public JctoolsExchange(int capacity, IdleStrategy strategy) {
        super(strategy);
        queue = new SpmcVarHandleArrayQueue<>(capacity);
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
