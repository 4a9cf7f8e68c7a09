package handoff.mechanism;

import handoff.mechanism.DisruptorRing.Release;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The queue that the Disruptor's own results compare, the queue that LMAX compared later, and both
 * releases of the Disruptor.
 *
 * <p>This is not a {@link Mechanism}: the studies {@code latency} and {@code topologies} share
 * these constants, but the parameters that a constant uses differ between them, so that each
 * study asks for {@link #parameters}. A constant that is added here serves both studies.
 */
public enum TransportMechanism {
    ARRAY_BLOCKING_QUEUE(null),
    LINKED_BLOCKING_QUEUE(null),
    DISRUPTOR_3(Release.THREE),
    DISRUPTOR_4(Release.FOUR);

    private final Release release;

    TransportMechanism(Release release) {
        this.release = release;
    }

    /** Returns the release of the Disruptor, or null for a queue. */
    public Release release() {
        return release;
    }

    /**
     * Returns a new queue.
     *
     * @throws UnsupportedOperationException for a Disruptor
     */
    public <M> BlockingQueue<M> queue(int capacity) {
        return switch (this) {
            case ARRAY_BLOCKING_QUEUE -> new ArrayBlockingQueue<>(capacity);
            case LINKED_BLOCKING_QUEUE -> new LinkedBlockingQueue<>(capacity);
            default -> throw new UnsupportedOperationException(this + " has no queue");
        };
    }

    /**
     * Maps each mechanism to the parameters that it uses.
     *
     * @param all parameters of every mechanism
     * @param queues further parameters of the queues
     */
    public static Map<String, List<String>> parameters(List<String> all, List<String> queues) {
        Map<String, List<String>> parameters = new TreeMap<>();
        for (TransportMechanism mechanism : values()) {
            List<String> others = mechanism.release == null ? queues : List.of("wait");
            parameters.put(mechanism.name(), Mechanism.all(all, others));
        }
        return parameters;
    }

    /**
     * @throws handoff.input.BadInput when the capacity of a Disruptor is not a power of two
     */
    public void check(int capacity) {
        if (release != null) {
            Mechanism.checkCapacity(name(), capacity);
        }
    }
}
