package handoff.measure;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * A number that two threads hand to each other, alone on its cache lines: each hand-over makes the
 * line travel from one core to the other.
 *
 * <pre>
 *   even turns  ──0──▶        ──2──▶        ──4──▶      each thread waits for its number
 *   odd turns         ──1──▶        ──3──▶              and writes the next
 * </pre>
 */
public final class Line extends LineState {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    /** Limits of a rally, and of each of its hand-overs. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long SLOWEST_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int SPINS_PER_LOOK = 1 << 10;
    private static final int UNTIMED = 16;
    private static final VarHandle TURN = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "turn", VarHandle.class, LineState.class, long.class);

    /**
     * Takes the even or the odd turns of {@code hops} hand-overs; both threads must call this, and
     * spin without a pause meanwhile.
     *
     * @return nanoseconds per hand-over, without the first sixteenth of them, during which the
     *     other thread may still have been on its way
     * @throws IllegalStateException after half a minute, and a tenth of a millisecond per hand-over
     */
    public double rally(long hops, boolean even) {
        long deadline = System.nanoTime() + TIMEOUT_NS + hops * SLOWEST_NS;
        double nanosPerHop = rallyUntil(deadline, hops, even);
        if (Double.isNaN(nanosPerHop)) {
            throw new IllegalStateException("The other thread of a rally did not take its turn.");
        }
        return nanosPerHop;
    }

    /**
     * Does the same until {@code deadline}, a time of {@link System#nanoTime}.
     *
     * @return NaN when this thread waited for its turn until the deadline; the line is then of no
     *     further use
     */
    double rallyUntil(long deadline, long hops, boolean even) {
        long first = (long) TURN.getAcquire(this);
        long base = first - first % 2;
        long timedFrom = hops / UNTIMED;
        long start = System.nanoTime();
        for (long hop = even ? 0 : 1; hop < hops; hop += 2) {
            if (!await(base + hop, deadline)) {
                return Double.NaN;
            }
            if (hop <= timedFrom) {
                start = System.nanoTime();
            }
            TURN.setRelease(this, base + hop + 1);
        }
        // The thread with the last turn but one waits for the last.
        return await(base + hops, deadline)
                ? (double) (System.nanoTime() - start) / (hops - Math.min(timedFrom, hops - 1))
                : Double.NaN;
    }

    /** Returns false when the deadline passes first. */
    private boolean await(long turn, long deadline) {
        int spins = 0;
        while ((long) TURN.getAcquire(this) < turn) {
            if (++spins == SPINS_PER_LOOK) {
                spins = 0;
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
            }
        }
        return true;
    }
}

/** The number that both threads write. */
class LineState extends Padding {
    @WrittenBy("both threads")
    long turn;
}
