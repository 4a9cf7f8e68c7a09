package handoff.ring;

import handoff.input.BadInput;
import handoff.machine.Plan;
import handoff.mechanism.Carriers;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class RingRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(RingMechanism.values());
    }

    /** Returns false: mailboxes are unbounded. */
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
        RingMechanism mechanism = mechanism(point);
        long events = Long.parseLong(point.get("events"));
        boolean tasks = mechanism == RingMechanism.PI_TASKS;
        int round = tasks
                ? PiTasks.TASKS
                : Integer.parseInt(point.get("size")) * Integer.parseInt(point.get("tokens"));
        if (events % round != 0) {
            throw new BadInput("events="
                    + events
                    + ": expected "
                    + (tasks
                            ? "an even number, because two tasks share them."
                            : "a multiple of size x tokens = "
                                    + round
                                    + ", because every token makes whole rounds."));
        }
        if (mechanism == RingMechanism.VIRTUAL_THREAD_PER_NODE) {
            Carriers.check(mechanism.name());
        }
    }

    /** Returns the threads that run the nodes. */
    @Override
    public List<String> roles(Map<String, String> point) {
        return mechanism(point) == RingMechanism.THREAD_PER_NODE
                ? Plan.counted("node", Integer.parseInt(point.get("size")))
                : Plan.counted("worker", Integer.parseInt(point.get("threads")));
    }

    private static RingMechanism mechanism(Map<String, String> point) {
        return RingMechanism.valueOf(point.get("mechanism"));
    }
}
