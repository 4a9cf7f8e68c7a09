package handoff.ladder;

import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Handoff;

/**
 * Runs a step.
 *
 * <pre>
 *   P ── put ──▶ step ── take ──▶ C      P  producer, JMH's thread      C  consumer, works
 * </pre>
 *
 * A JVM measures one step, so that both loops call it directly.
 */
final class StepHandoff implements Handoff {
    private final Step step;

    StepHandoff(Step step, LadderSetup setup) {
        this.step = step;
        ConsumerLoop.start(setup.team(), () -> step.take(setup.consumer()));
    }

    @Override
    public void publish(long events) throws InterruptedException {
        Step queue = step;
        for (long i = 0; i < events; i++) {
            queue.put(i);
        }
    }
}
