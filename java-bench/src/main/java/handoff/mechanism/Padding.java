package handoff.mechanism;

/**
 * Two cache lines and more that nobody writes: what extends it shares no line with what lies
 * before.
 */
public class Padding {
    protected long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15;
}
