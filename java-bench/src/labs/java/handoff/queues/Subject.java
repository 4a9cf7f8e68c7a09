package handoff.queues;

import handoff.mechanism.Exchange;
import handoff.yours.OwnClass;
import java.util.Arrays;

/**
 * The queue under test: one of lab 5's six ({@code A} to {@code F}), a right one ({@code RING},
 * {@code SLOTS}), or one with a {@link Fault}.
 */
public final class Subject {
    private static String chosen = "";
    private static boolean hidden;

    private Subject() {}

    /** From now on no class under test can tell by its looks which queue it was given. */
    static void hide() {
        hidden = true;
    }

    /** Which one {@link #open} opens from now on. */
    static void choose(String name) {
        chosen = name;
    }

    /**
     * A new one.
     *
     * @throws IllegalArgumentException when there is none of this name
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
            default -> new FaultyQueue<>(find(chosen), capacity);
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

    /** One's own class where there is one, or else this queue with sides that wait. */
    static <T> Exchange<T> exchange(int capacity) {
        return OwnClass.isGiven() ? OwnClass.open(capacity) : new WaitingQueue<>(open(capacity));
    }

    private static Fault find(String name) {
        return Arrays.stream(Fault.values())
                .filter(fault -> fault.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no queue " + name + "."));
    }
}
