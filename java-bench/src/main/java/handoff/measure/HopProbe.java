package handoff.measure;

import handoff.machine.Pin;
import handoff.machine.Plan;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Measures the cost of a hop just before a shot, from the first thread to the nearest and to the
 * farthest: a host that moves virtual CPUs changes it within seconds. Probes only when each thread
 * has its own core; a thread of the probe stands in for the partner, which does not exist yet.
 */
final class HopProbe {
    /** Hops per slice. The median slice counts: a host that takes a CPU away spoils one or two. */
    private static final int HOPS = 500;

    /** About a millisecond at 200 ns per hop. */
    private static final int SLICES = 11;

    /** Slices until the loop is compiled. */
    private static final int FIRST_SLICES = 160;

    private final Plan.Slot first;
    private final Plan.Slot near;
    private final Plan.Slot far;
    private boolean compiled;

    HopProbe(Plan plan) {
        first = plan.threads().get(0);
        List<Plan.Slot> others = plan.threads().subList(1, plan.threads().size());
        boolean apart = plan.threads().stream()
                .allMatch(slot -> slot.cpu() != null && !slot.oversubscribed());
        Comparator<Plan.Slot> byDistance = Comparator.comparingInt(this::distance);
        near = apart ? others.stream().min(byDistance).orElse(null) : null;
        far = apart ? others.stream().max(byDistance).orElse(null) : null;
    }

    /** Returns the number of different properties; unknown ones count as equal. */
    private int distance(Plan.Slot other) {
        return (Objects.equals(first.cache(), other.cache()) ? 0 : 1)
                + (Objects.equals(first.node(), other.node()) ? 0 : 1)
                + (Objects.equals(first.socket(), other.socket()) ? 0 : 1);
    }

    /** Measures on the calling thread, the first; null when the threads cannot be probed. */
    Evidence.Hops measure() {
        if (near == null) {
            return null;
        }
        Pin.to(first);
        if (!compiled) {
            rally(near, FIRST_SLICES);
            compiled = true;
        }
        double nearNs = rally(near, SLICES);
        double farNs = far.equals(near) ? nearNs : rally(far, SLICES);
        return new Evidence.Hops(near.cpu(), nearNs, far.cpu(), farNs);
    }

    /** Returns the nanoseconds per hop, the median of the slices. */
    private static double rally(Plan.Slot partner, int slices) {
        Line line = new Line();
        CompletableFuture<String> pinned = new CompletableFuture<>();
        Thread other = new Thread(
                () -> {
                    try {
                        pinned.complete(Pin.to(partner));
                    } catch (RuntimeException refused) {
                        pinned.completeExceptionally(refused);
                        return;
                    }
                    for (int i = 0; i < slices; i++) {
                        line.rally(HOPS, false);
                    }
                },
                "hop probe");
        other.setDaemon(true);
        other.start();
        try {
            // Not spinning: a new thread starts on the CPU of the thread that created it.
            pinned.join();
            double[] nanos = new double[slices];
            for (int i = 0; i < slices; i++) {
                nanos[i] = line.rally(HOPS, true);
            }
            other.join();
            Arrays.sort(nanos);
            return nanos[slices / 2];
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
