package handoff.executors;

import handoff.measure.ThreadTeam;

/**
 * The parts of a mechanism. {@code threads} is the number of workers, without the producer and the
 * collector.
 */
record ExecutorsSetup(
        PiJob job,
        int threads,
        int capacity,
        Index index,
        Separation separation,
        Idle idle,
        Start start,
        String release,
        ThreadTeam team) {}
