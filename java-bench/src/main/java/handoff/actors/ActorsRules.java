package handoff.actors;

import handoff.input.BadInput;
import handoff.machine.Plan;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class ActorsRules implements StudyRules {
    private static final long MOST_STATE = 400L << 20;

    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(ActorsMechanism.values());
    }

    @Override
    public List<String> measures() {
        return List.of("stayed", "in_a_row", "cache_misses");
    }

    /** Returns false: all queues are unbounded. */
    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public boolean behindStarter() {
        return true;
    }

    @Override
    public void check(Map<String, String> point) {
        int actors =
                Integer.parseInt(point.get("workers")) * Integer.parseInt(point.get("perworker"));
        int bytes = Integer.parseInt(point.get("bytes"));
        if (Long.parseLong(point.get("events")) < actors) {
            throw new BadInput(
                    ("events=%s: expected at least workers x perworker = %s, because each"
                                    + " actor starts a chain of messages.")
                            .formatted(point.get("events"), actors));
        }
        if (bytes % Integer.BYTES != 0) {
            throw new BadInput(
                    "bytes=%s: expected a multiple of %s, because the state consists of ints."
                            .formatted(bytes, Integer.BYTES));
        }
        if ((long) actors * bytes > MOST_STATE) {
            throw new BadInput.NotOnThisMachine(
                    ("%s actors of %s bytes each: expected at most %s MiB of state, to fit"
                                    + " into a fork's heap.")
                            .formatted(actors, bytes, MOST_STATE >> 20));
        }
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return Plan.counted("worker", Integer.parseInt(point.get("workers")));
    }
}
