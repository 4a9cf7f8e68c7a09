package handoff.latency;

import handoff.measure.ThreadTeam;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.TransportMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * A queue in front of every stage.
 *
 * <pre>
 *   P ─ stamp, put ─▶ [queue] ─▶ C1 ─ put ─▶ [queue] ─▶ C2 ─ put ─▶ [queue] ─▶ C3 ─ read the clock
 * </pre>
 *
 * Every event is a new message, as the original test boxes a number for each; it has 48 bytes
 * instead of 16, so young collections are more frequent, which the shot's {@code gcNs} shows. It is
 * stamped before {@code put}, which may block.
 */
final class QueuePipeline implements LatencyPipeline {
    private final List<BlockingQueue<Stamped>> queues = new ArrayList<>();

    QueuePipeline(TransportMechanism mechanism, Stages stages, int capacity, ThreadTeam team) {
        for (int stage = 0; stage < stages.count(); stage++) {
            queues.add(mechanism.queue(capacity));
        }
        for (int stage = 0; stage < stages.count(); stage++) {
            serve(stages, stage, team);
        }
    }

    private void serve(Stages stages, int stage, ThreadTeam team) {
        Stages.Stage body = stages.stage(stage);
        BlockingQueue<Stamped> in = queues.get(stage);
        BlockingQueue<Stamped> out = stage + 1 < queues.size() ? queues.get(stage + 1) : null;
        ConsumerLoop.start(team, () -> {
            Stamped event = in.take();
            body.accept(event);
            if (out != null) {
                out.put(event);
            }
        });
    }

    @Override
    public void publish(long number, long due) throws InterruptedException {
        Stamped event = new Stamped();
        event.number = number;
        event.due = due;
        event.published = System.nanoTime();
        event.seen = event.published;
        queues.get(0).put(event);
    }
}
