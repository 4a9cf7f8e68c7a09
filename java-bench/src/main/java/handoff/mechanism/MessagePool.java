package handoff.mechanism;

import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Preallocated messages for one producer, handed out in a circle: a queue can reuse them as a ring
 * reuses its events. A message is reused only when no queue and no thread can still hold it.
 */
public final class MessagePool<M> {
    /** More messages than the threads of a shot hold at a time. */
    private static final int HELD = 16;

    private final Object[] messages;
    private int next;

    /**
     * @param places total capacity of the queues that a message passes through
     */
    public MessagePool(Supplier<M> message, int places) {
        messages = Stream.generate(message).limit(places + HELD).toArray();
    }

    /** Returns the message that was handed out the longest time ago. */
    @SuppressWarnings("unchecked")
    public M next() {
        Object message = messages[next];
        if (++next == messages.length) {
            next = 0;
        }
        return (M) message;
    }
}
