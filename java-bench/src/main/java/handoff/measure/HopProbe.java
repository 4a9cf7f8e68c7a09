package handoff.measure;

import handoff.machine.Pin;
import handoff.machine.Plan;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * What a hop costs just before a shot, between the first thread and its nearest and its farthest
 * one: a host that moves virtual CPUs changes it within seconds. Only where each thread has a core
 * of its own; a thread of the probe's stands in for the one that does not exist yet.
 */
final class HopProbe {
    /** A slice, of which the median counts: a host that takes a CPU away spoils one or two. */
    private static final int HOPS = 500;

    /** A millisecond where a hop takes 200 ns. */
    private static final int SLICES = 11;

    /** Until the loop is compiled. */
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

    /** How many borders lie between; what is unknown is no border. */
    private int distance(Plan.Slot other) {
        return (Objects.equals(first.cache(), other.cache()) ? 0 : 1)
                + (Objects.equals(first.node(), other.node()) ? 0 : 1)
                + (Objects.equals(first.socket(), other.socket()) ? 0 : 1);
    }

    /** On the first thread; null where there is nothing to probe. */
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

    /** Nanoseconds a hop, median of the slices. */
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
            // Not spinning: a new thread begins on the CPU of the one that made it.
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
