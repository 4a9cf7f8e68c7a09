package handoff.hops;

import handoff.input.BadInput;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The rules for this study's parameters. */
public final class HopsRules implements StudyRules {
    private static final String MATRIX = HopsMechanism.CACHE_LINE.name();

    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(HopsMechanism.values());
    }

    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public List<String> measures() {
        return Stream.concat(CacheLine.MEASURES.stream(), Primitives.MEASURES.stream())
                .toList();
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        boolean matrix = point.get("mechanism").equals(MATRIX);
        return Plan.counted("thread", matrix ? Integer.parseInt(point.get("threads")) : 2);
    }

    /** Refuses threads that share a CPU: they would wait for the scheduler, not for each other. */
    @Override
    public Plan plan(Map<String, String> point, Topology machine) {
        Plan plan = StudyRules.super.plan(point, machine);
        long cpus = plan.threads().stream()
                .map(Plan.Slot::cpu)
                .filter(Objects::nonNull)
                .distinct()
                .count();
        if (cpus < plan.threads().size()) {
            throw new BadInput.NotOnThisMachine(
                    "A hop is between two CPUs: %s threads need a CPU each, got %s."
                            .formatted(plan.threads().size(), cpus));
        }
        return plan;
    }
}
