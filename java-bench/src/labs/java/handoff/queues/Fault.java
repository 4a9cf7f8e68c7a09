package handoff.queues;

/** The faults of a queue: six kinds, two of each. A grader draws one of each kind. */
enum Fault {
    /** The bound. */
    HOLDS_ONE_MORE,
    /** The bound. */
    HOLDS_ONE_LESS,

    /** The order: of two items the newer comes first. */
    TAKES_NEWEST,
    /** The order: at the end of the ring, the previous item is repeated instead. */
    REPEATS_AT_WRAP,

    /** Publication: the counter is written before the item. */
    PUBLISHES_FIRST,
    /** Publication: an item is seen only when the next one is offered. */
    PUBLISHES_LATE,

    /** Freeing: the place is freed before it is read. */
    FREES_FIRST,
    /** Freeing: the same, only in a full queue. */
    FREES_FIRST_WHEN_FULL,

    /** Shared state: both sides write one count. */
    COUNTS_TORN,
    /** Shared state: both sides write one flag that marks the queue as empty. */
    SHARES_A_FLAG,

    /** Loss: an offer to a full queue reports success. */
    LOSES_WHEN_FULL,
    /** Loss: at the end of the ring, one poll reports an empty queue. */
    EMPTY_AT_WRAP
}
