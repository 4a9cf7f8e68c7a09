package handoff.queues;

/** What can be wrong with a queue: six kinds, each in two ways. A grader draws one of each kind. */
enum Fault {
    /** The bound. */
    HOLDS_ONE_MORE,
    /** The bound. */
    HOLDS_ONE_LESS,

    /** The order: of two items the newer comes first. */
    TAKES_NEWEST,
    /** The order: at each end of the ring the item before comes once more instead. */
    REPEATS_AT_WRAP,

    /** Publication: the counter is written before the item. */
    PUBLISHES_FIRST,
    /** Publication: an item is seen only when the next one is offered. */
    PUBLISHES_LATE,

    /** Freeing: the place is given back before it is read. */
    FREES_FIRST,
    /** Freeing: the same, only in a full queue. */
    FREES_FIRST_WHEN_FULL,

    /** Shared state: both sides write one count. */
    COUNTS_TORN,
    /** Shared state: both sides write one flag that says whether it is empty. */
    SHARES_A_FLAG,

    /** Loss: an offer to a full queue says that it was taken. */
    LOSES_WHEN_FULL,
    /** Loss: at each end of the ring a poll says once that there is nothing. */
    EMPTY_AT_WRAP
}
