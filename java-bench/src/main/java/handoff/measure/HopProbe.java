package handoff.measure;

import handoff.machine.Pin;
import handoff.machine.Plan;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cost of a hop just before a shot, from the first thread to the nearest and to the
 * farthest: a host that moves virtual CPUs changes it within seconds. Probes only when each thread
 * has its own core; a thread of the probe stands in for the partner, which does not exist yet.
 *
 * <p>A hop that cannot be measured in time is null: a probe never costs a fork.
 */
final class HopProbe {
    /** Hops per slice. The median slice counts: a host that takes a CPU away spoils one or two. */
    private static final int HOPS = 500;

    /** About a millisecond at 200 ns per hop. */
    private static final int SLICES = 11;

    /** Limit of all slices, which take seconds where a host runs the two CPUs in turn. */
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Rounds until the loop is compiled, and their limit. */
    private static final int FIRST_ROUNDS = 3_000;

    private static final long FIRST_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Plan.Slot first;
    private final Plan.Slot near;
    private final Plan.Slot far;

    HopProbe(Plan plan) {
        first = plan.threads().get(0);
        List<Plan.Slot> others = plan.threads().subList(1, plan.threads().size());
        boolean apart = plan.threads().stream()
                .allMatch(slot -> slot.cpu() != null && !slot.oversubscribed());
        Comparator<Plan.Slot> byDistance = Comparator.comparingInt(this::distance);
        near = apart ? others.stream().min(byDistance).orElse(null) : null;
        far = apart ? others.stream().max(byDistance).orElse(null) : null;
        if (near != null) {
            compile();
        }
    }

    /** Returns the number of different properties; unknown ones count as equal. */
    private int distance(Plan.Slot other) {
        return (Objects.equals(first.cache(), other.cache()) ? 0 : 1)
                + (Objects.equals(first.node(), other.node()) ? 0 : 1)
                + (Objects.equals(first.socket(), other.socket()) ? 0 : 1);
    }

    /**
     * Takes every path of a rally until the JVM has compiled it. On one thread, because where there
     * are two CPUs, two that spin keep the compilers waiting.
     */
    private static void compile() {
        Line line = new Line();
        long start = System.nanoTime();
        long now = start;
        for (int i = 0; i < FIRST_ROUNDS && now - start < FIRST_LIMIT_NS; i++) {
            line.rallyUntil(now, 1, true);
            line.rallyUntil(now, 2, false);
            // These wait in vain, for one look at the clock or for several.
            line.rallyUntil(i % 16 == 0 ? now + 100_000 : now, 3, true);
            now = System.nanoTime();
        }
    }

    /** Measures on the calling thread, the first; null when the threads cannot be probed. */
    Evidence.Hops measure() {
        if (near == null) {
            return null;
        }
        Pin.to(first);
        Double nearNs = measure(near);
        Double farNs = far.equals(near) ? nearNs : measure(far);
        return new Evidence.Hops(near.cpu(), nearNs, far.cpu(), farNs);
    }

    private static Double measure(Plan.Slot partner) {
        Line line = new Line();
        CountDownLatch pinned = new CountDownLatch(1);
        CompletableFuture<Long> deadline = new CompletableFuture<>();
        Thread other = new Thread(
                () -> {
                    try {
                        Pin.to(partner);
                        pinned.countDown();
                        median(line, false, deadline.join());
                    } catch (RuntimeException refused) {
                        // The shot reports it when it pins its own thread there.
                    }
                },
                "hop probe");
        other.setDaemon(true);
        other.start();
        try {
            // Not spinning: a new thread starts on the CPU of the thread that created it.
            boolean inTime = pinned.await(LIMIT_NS, TimeUnit.NANOSECONDS);
            deadline.complete(System.nanoTime() + (inTime ? LIMIT_NS : 0));
            Double nanosPerHop = median(line, true, deadline.join());
            TimeUnit.NANOSECONDS.timedJoin(other, LIMIT_NS);
            return nanosPerHop;
        } catch (InterruptedException interrupted) {
            deadline.complete(System.nanoTime());
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Returns the nanoseconds per hop, the median of the slices; null at the deadline. */
    private static Double median(Line line, boolean even, long deadline) {
        double[] nanos = new double[SLICES];
        for (int i = 0; i < SLICES; i++) {
            nanos[i] = line.rallyUntil(deadline, HOPS, even);
            if (Double.isNaN(nanos[i])) {
                return null;
            }
        }
        Arrays.sort(nanos);
        return nanos[SLICES / 2];
    }
}
