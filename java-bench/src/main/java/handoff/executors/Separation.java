package handoff.executors;

/**
 * Whether the two counters of the post's first ring share a cache line: where in an array of longs
 * they stand.
 */
public enum Separation {
    /** As in the post's first files: neighbours. */
    NONE(0, 1),
    /** As in its later ones. */
    PADDED(RingBufferSpmc.CONSUMED, RingBufferSpmc.PUBLISHED);

    final int consumed;
    final int published;

    Separation(int consumed, int published) {
        this.consumed = consumed;
        this.published = published;
    }
}
