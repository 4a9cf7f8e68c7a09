package handoff.hops;

import handoff.mechanism.Mechanism;
import java.util.List;

/** The list of what is timed. */
public enum HopsMechanism implements Mechanism {
    /** Every pair of threads hands a cache line to and fro, one pair at a time. */
    CACHE_LINE(List.of("threads", "events", "placement", "collector", "memory")),
    /** What hand-overs are made of: waking, sleeping, yielding, locking, and a sort beside them. */
    PRIMITIVES(List.of("events", "placement", "collector", "memory"));

    private final List<String> parameters;

    HopsMechanism(List<String> parameters) {
        this.parameters = parameters;
    }

    @Override
    public List<String> parameters() {
        return parameters;
    }
}
