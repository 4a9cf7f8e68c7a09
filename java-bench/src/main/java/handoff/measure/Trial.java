package handoff.measure;

import handoff.machine.HeapNodes;
import handoff.machine.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One fork: its plan of threads, its warm-up and the evidence of its shots. */
public final class Trial {
    private final Plan plan;
    private final HopProbe probe;
    private final List<Evidence.Shot> shots = new ArrayList<>();
    private WarmUpRule warmUp = new WarmUpRule(0);
    private long warmUpEvents;

    public Trial(Plan plan) {
        this.plan = plan;
        probe = new HopProbe(plan);
        Stopwatch.load();
    }

    /**
     * Creates a shot of {@code events} events with {@code consumers} tallies; call on the first
     * producer's thread.
     */
    public Shot shot(int consumers, long events, Expected expected) {
        Evidence.Hops hops = probe.measure();
        return new Shot(plan, consumers, events, expected, hops);
    }

    /** Ends {@code shot} and keeps its record; see {@link Shot#close}. */
    public void close(Shot shot, Runnable stop, Supplier<Findings> findings)
            throws InterruptedException {
        shots.add(shot.close(stop, findings));
    }

    /**
     * Repeats {@code once}, a whole shot that ends in {@link #close}, until the fork has settled,
     * and keeps only the times of these shots.
     *
     * @param limitSeconds see {@link WarmUpRule}; 0 for no warm-up
     * @param events number of events of these shots, for {@link #events}; 0 for as many as later
     */
    public void warmUp(double limitSeconds, long events, ThreadTeam.Body once)
            throws InterruptedException {
        warmUp = new WarmUpRule(limitSeconds);
        warmUpEvents = events;
        while (!warmUp.over()) {
            once.run();
            warmUp.add(shots.remove(shots.size() - 1));
        }
        warmUpEvents = 0;
    }

    /** Returns the number of events of the next shot, where one that counts has this many. */
    public long events(long counted) {
        return warmUpEvents == 0 ? counted : warmUpEvents;
    }

    /** Writes {@code evidence.json} into this JVM's temporary folder. */
    public void write(Double nsPerEventCreated) throws IOException {
        new Evidence(
                        Evidence.Jvm.current(),
                        Clock.current(),
                        Calibration.sort(),
                        nsPerEventCreated,
                        HeapNodes.ofThisProcess(),
                        warmUp.evidence(),
                        shots)
                .write(Path.of(System.getProperty("java.io.tmpdir"), "evidence.json"));
    }
}
