package handoff.executors;

import handoff.measure.Crew;

/** What a mechanism is made from. {@code threads} counts workers: neither the producer nor a collector of results. */
record Scenario(Job job, int threads, int capacity, Index index, Separation separation, Idle idle, Start start, Crew crew) {
}
