package handoff.executors;

/**
 * Whether the two counters of the post's first ring share a cache line, given by their places in an
 * array of longs.
 */
public enum Separation {
    /** As in the first files of the post: next to each other. */
    NONE(0, 1),
    /** As in the later files of the post. */
    PADDED(RingBufferSpmc.CONSUMED, RingBufferSpmc.PUBLISHED);

    final int consumed;
    final int published;

    Separation(int consumed, int published) {
        this.consumed = consumed;
        this.published = published;
    }
}
