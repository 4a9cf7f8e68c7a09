package handoff.counters;

import handoff.machine.Plan;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class CountersRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(CountersMechanism.values());
    }

    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return Plan.counted("thread", Integer.parseInt(point.get("threads")));
    }
}
