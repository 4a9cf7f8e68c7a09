package handoff.executors;

import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;

/** JCTools' ring for a single producer, with the rests of the post's rings. */
final class JctoolsExchange<T> extends PolledExchange<T> {
    private final SpmcVarHandleArrayQueue<T> queue;

    JctoolsExchange(int capacity, Idle idle) {
        super(idle);
        queue = new SpmcVarHandleArrayQueue<>(capacity);
    }

    @Override
    boolean offer(T item) {
        return queue.offer(item);
    }

    @Override
    T poll() {
        return queue.poll();
    }
}
