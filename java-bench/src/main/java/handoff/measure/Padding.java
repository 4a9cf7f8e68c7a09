package handoff.measure;

/**
 * Cache lines that are never written, in front of state that is: at least two, because a processor
 * may fetch a line's neighbour too.
 *
 * <pre>
 *   Padding ◀── XState ◀── X
 *
 *   header │ 4 │ 128 bytes │ fields of XState │ 128 bytes │ the next object
 *          hole    l0-l15                       r0-r15 of X
 * </pre>
 *
 * HotSpot lays the fields of a superclass before those of its subclass, but fills a hole with any
 * small field of the subclass. So {@code hole} fills the one behind a header of twelve bytes, and
 * padding must lie in separate classes. A field names its writer ({@link WrittenBy}); fields of
 * different writers need padding between them, too. {@code PaddingTest} reads the offsets.
 */
public abstract class Padding {
    protected int hole;
    protected long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15;
}
