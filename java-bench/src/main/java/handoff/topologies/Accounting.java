package handoff.topologies;

/** The extra work of queues per event. The Disruptor does none of it in either case. */
public enum Accounting {
    /**
     * As in the tests behind the published table: a boxed value per message, and a volatile counter
     * per consumer.
     */
    AS_PUBLISHED,
    /**
     * As with the Disruptor: messages created in advance and reused, and a counter without a fence.
     */
    FAIR
}
