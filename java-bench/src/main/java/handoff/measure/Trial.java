package handoff.measure;

import handoff.machine.HeapNodes;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One fork: the threads' plan, made once, and the evidence of its shots. */
public final class Trial {
    private final Plan plan;
    private final List<Evidence.Shot> shots = new ArrayList<>();

    /** @throws handoff.BadInput when this machine cannot give what the placement promises */
    public Trial(Placement placement, int threads) {
        plan = placement.plan(Topology.read(Path.of("/")), threads);
        Stopwatch.load();
    }

    /** A new shot with {@code consumers} tallies; call on the producer's thread. */
    public Shot shot(int consumers) {
        return new Shot(plan, consumers);
    }

    /** Ends {@code shot} and keeps its record; see {@link Shot#close}. */
    public void close(Shot shot, Runnable stop, long events, long checksum) throws InterruptedException {
        shots.add(shot.close(stop, events, checksum));
    }

    /** Writes {@code evidence.json} into this JVM's temporary folder. */
    public void write(Double nsPerSort, Double nsPerEventCreated) throws IOException {
        new Evidence(Evidence.Jvm.current(), nsPerSort, nsPerEventCreated, HeapNodes.ofThisProcess(), shots)
            .write(Path.of(System.getProperty("java.io.tmpdir"), "evidence.json"));
    }
}
