package handoff.mechanism;

import handoff.mechanism.DisruptorRing.Release;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * What the Disruptor's own results compare, with the queue that LMAX took later and both releases
 * of today.
 */
public enum TransportMechanism {
    ARRAY_BLOCKING_QUEUE(null) {
        @Override
        public <M> BlockingQueue<M> queue(int capacity) {
            return new ArrayBlockingQueue<>(capacity);
        }
    },
    LINKED_BLOCKING_QUEUE(null) {
        @Override
        public <M> BlockingQueue<M> queue(int capacity) {
            return new LinkedBlockingQueue<>(capacity);
        }
    },
    DISRUPTOR_3(Release.THREE),
    DISRUPTOR_4(Release.FOUR);

    private final Release release;

    TransportMechanism(Release release) {
        this.release = release;
    }

    /** The release of the Disruptor; null for a queue. */
    public Release release() {
        return release;
    }

    /**
     * @throws UnsupportedOperationException for a Disruptor
     */
    public <M> BlockingQueue<M> queue(int capacity) {
        throw new UnsupportedOperationException(this + " has no queue");
    }

    /**
     * Mechanism to the parameters that make a difference to it: those of all, and those of its
     * family.
     */
    public static Map<String, List<String>> parameters(
            List<String> all, List<String> queues, List<String> rings) {
        Map<String, List<String>> parameters = new TreeMap<>();
        for (TransportMechanism mechanism : values()) {
            parameters.put(
                    mechanism.name(),
                    Stream.of(all, mechanism.release == null ? queues : rings)
                            .flatMap(List::stream)
                            .toList());
        }
        return parameters;
    }
}
