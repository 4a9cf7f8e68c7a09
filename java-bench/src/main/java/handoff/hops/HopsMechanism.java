package handoff.hops;

import handoff.mechanism.Mechanism;
import java.util.List;

/** All mechanisms of this study. */
public enum HopsMechanism implements Mechanism {
    /** Pairs of threads pass a cache line to and fro, one pair at a time. */
    CACHE_LINE(List.of("threads", "events", "placement", "collector", "memory")),
    /** The primitives of a hand-over: waking, sleeping, yielding, locking; and a sort. */
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
