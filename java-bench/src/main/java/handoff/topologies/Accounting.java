package handoff.topologies;

/** What the queues pay for besides handing over. The Disruptor pays for neither in both. */
public enum Accounting {
    /**
     * As in the tests behind the published table: a boxed value for every message, and a volatile
     * counter for every consumer.
     */
    AS_PUBLISHED,
    /**
     * As the Disruptor does: messages made beforehand that come round again, and a counter without
     * a fence.
     */
    FAIR
}
