package handoff.mechanism;

import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Messages made beforehand for one producer, handed out in a circle: what a ring does for its
 * events, done for a queue. A message comes round again only when no queue, and no thread, can
 * still hold it.
 */
public final class MessagePool<M> {
    /** More than the threads of a shot hold in their hands. */
    private static final int IN_HANDS = 16;

    private final Object[] messages;
    private int next;

    /**
     * @param places the places of all queues that a message passes one after the other
     */
    public MessagePool(Supplier<M> message, int places) {
        messages = Stream.generate(message).limit(places + IN_HANDS).toArray();
    }

    @SuppressWarnings("unchecked")
    public M next() {
        Object message = messages[next];
        if (++next == messages.length) {
            next = 0;
        }
        return (M) message;
    }
}
