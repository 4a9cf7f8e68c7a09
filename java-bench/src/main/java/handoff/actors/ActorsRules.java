package handoff.actors;

import handoff.input.BadInput;
import handoff.machine.Plan;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** What must hold between the parameters of this study. */
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

    /** All queues are unbounded. */
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
            throw new BadInput("events="
                    + point.get("events")
                    + ": each of workers x perworker = "
                    + actors
                    + " actors begins a chain of messages, so at least as many are"
                    + " allowed.");
        }
        if (bytes % Integer.BYTES != 0) {
            throw new BadInput("bytes="
                    + bytes
                    + ": the state consists of ints, so a multiple of "
                    + Integer.BYTES
                    + " is allowed.");
        }
        if ((long) actors * bytes > MOST_STATE) {
            throw new BadInput.NotOnThisMachine(actors
                    + " actors of "
                    + bytes
                    + " bytes each: at most "
                    + (MOST_STATE >> 20)
                    + " MiB of state find room in a fork's heap.");
        }
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return roles(Integer.parseInt(point.get("workers")));
    }

    static List<String> roles(int workers) {
        return Plan.counted("worker", workers);
    }
}
