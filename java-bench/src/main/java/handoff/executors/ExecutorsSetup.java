package handoff.executors;

import handoff.measure.ThreadTeam;

/**
 * What a mechanism is made from. {@code threads} counts workers: neither the producer nor a
 * collector of results.
 */
record ExecutorsSetup(
        PiJob job,
        int threads,
        int capacity,
        Index index,
        Separation separation,
        Idle idle,
        Start start,
        ThreadTeam team) {}
