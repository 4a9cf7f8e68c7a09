package handoff.queues;

import handoff.mechanism.Exchange;
import handoff.yours.OwnClass;

/**
 * The queue under test: one of lab 5's six ({@code A} to {@code F}), a correct one ({@code RING},
 * {@code SLOTS}), or one with a {@link Fault}.
 */
public final class Subject {
    private static String chosen = "";
    private static boolean hidden;

    private Subject() {}

    /** Hides from the class under test which queue {@link #open} gives it from now on. */
    static void hide() {
        hidden = true;
    }

    /** Chooses the queue that {@link #open} opens from now on. */
    static void choose(String name) {
        chosen = name;
    }

    /**
     * Opens a new queue.
     *
     * @throws IllegalArgumentException when the chosen name is unknown
     */
    public static <T> BoundedQueue<T> open(int capacity) {
        BoundedQueue<T> queue = make(capacity);
        return hidden ? new Hidden<>(queue) : queue;
    }

    private static <T> BoundedQueue<T> make(int capacity) {
        return switch (chosen) {
            case "A" -> new QueueA<>(capacity);
            case "B", "RING" -> new QueueB<>(capacity);
            case "C" -> new QueueC<>(capacity);
            case "D" -> new QueueD<>(capacity);
            case "E" -> new QueueE<>(capacity);
            case "F" -> new QueueF<>(capacity);
            case "SLOTS" -> new SlotQueue<>(capacity);
            default -> new FaultyQueue<>(Fault.valueOf(chosen), capacity);
        };
    }

    private static final class Hidden<T> implements BoundedQueue<T> {
        private final BoundedQueue<T> queue;

        Hidden(BoundedQueue<T> queue) {
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

    /** Opens the user's own class if there is one, or else this queue with sides that wait. */
    static <T> Exchange<T> exchange(int capacity) {
        return OwnClass.isGiven() ? OwnClass.open(capacity) : new WaitingQueue<>(open(capacity));
    }
}
