package handoff.cli;

import handoff.actors.ActorsBenchmark;
import handoff.actors.ActorsRules;
import handoff.counters.CountersBenchmark;
import handoff.counters.CountersRules;
import handoff.executors.ExecutorsBenchmark;
import handoff.executors.ExecutorsRules;
import handoff.hops.HopsBenchmark;
import handoff.hops.HopsRules;
import handoff.input.BadInput;
import handoff.input.Parameter;
import handoff.ladder.LadderBenchmark;
import handoff.ladder.LadderRules;
import handoff.latency.LatencyBenchmark;
import handoff.latency.LatencyRules;
import handoff.machine.HeapPlacement;
import handoff.machine.Housekeeping;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.ring.RingBenchmark;
import handoff.ring.RingRules;
import handoff.scaling.ScalingBenchmark;
import handoff.scaling.ScalingRules;
import handoff.study.StudyBenchmark;
import handoff.study.StudyRules;
import handoff.topologies.TopologiesBenchmark;
import handoff.topologies.TopologiesRules;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All studies; to add one, write its package and name it here. */
public enum Study {
    SCALING(ScalingBenchmark.class, new ScalingRules()),
    LADDER(LadderBenchmark.class, new LadderRules()),
    TOPOLOGIES(TopologiesBenchmark.class, new TopologiesRules()),
    LATENCY(LatencyBenchmark.class, new LatencyRules()),
    COUNTERS(CountersBenchmark.class, new CountersRules()),
    EXECUTORS(ExecutorsBenchmark.class, new ExecutorsRules()),
    RING(RingBenchmark.class, new RingRules()),
    ACTORS(ActorsBenchmark.class, new ActorsRules()),
    HOPS(HopsBenchmark.class, new HopsRules());

    private final Class<? extends StudyBenchmark> benchmark;
    private final StudyRules rules;

    Study(Class<? extends StudyBenchmark> benchmark, StudyRules rules) {
        this.benchmark = benchmark;
        this.rules = rules;
    }

    static Optional<Study> named(String word) {
        return Stream.of(values()).filter(study -> study.word().equals(word)).findFirst();
    }

    static String words() {
        return Stream.of(values()).map(Study::word).collect(Collectors.joining(", "));
    }

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns JMH's regular expression for this study alone. */
    String include() {
        return "^" + benchmark.getName().replace(".", "\\.") + "\\.";
    }

    Map<String, Parameter> parameters() {
        return Parameter.of(benchmark);
    }

    StudyRules rules() {
        return rules;
    }

    /**
     * Refuses a parameter that the mechanism ignores: in the results, it would seem to have made a
     * difference.
     */
    private void refuseIdle(Map<String, String> point, Map<String, Parameter> parameters) {
        String mechanism = point.get("mechanism");
        point.forEach((name, value) -> {
            boolean matters = name.equals("mechanism")
                    || rules.mechanisms().get(mechanism).contains(name);
            String idle = parameters.get(name).defaultValue();
            if (!matters && !value.equals(idle)) {
                throw new BadInput("%s=%s: %s has no %s; leave it at %s."
                        .formatted(name, value, mechanism, name, idle));
            }
        });
    }

    /**
     * Plans a point after checking its names, its values and their combination.
     *
     * @throws BadInput that names the mistake and the choices
     */
    Places place(Map<String, String> given, Topology machine) {
        Map<String, String> point = spellOut(given);
        Plan plan = rules.plan(point, machine);
        return new Places(plan, rules.heap(point, machine, plan), Housekeeping.of(machine, plan));
    }

    /**
     * The places of a point's threads, its heap and the JVM's own threads; null for the default.
     */
    record Places(Plan plan, HeapPlacement.Policy heap, Housekeeping housekeeping) {}

    private Map<String, String> spellOut(Map<String, String> given) {
        Map<String, Parameter> parameters = parameters();
        Map<String, String> point = new LinkedHashMap<>();
        parameters.forEach((name, parameter) -> point.put(name, parameter.defaultValue()));
        given.forEach((name, value) -> {
            if (!parameters.containsKey(name)) {
                throw new BadInput("%s has no parameter %s; choose from %s."
                        .formatted(word(), name, String.join(", ", parameters.keySet())));
            }
            parameters.get(name).check(value);
            point.put(name, value);
        });
        refuseIdle(point, parameters);
        return point;
    }
}
