package handoff.cli;

import handoff.actors.ActorsBenchmark;
import handoff.counters.CountersBenchmark;
import handoff.executors.ExecutorsBenchmark;
import handoff.hops.HopsBenchmark;
import handoff.input.BadInput;
import handoff.input.Parameter;
import handoff.ladder.LadderBenchmark;
import handoff.latency.LatencyBenchmark;
import handoff.machine.HeapPlacement;
import handoff.machine.Housekeeping;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.ring.RingBenchmark;
import handoff.scaling.ScalingBenchmark;
import handoff.study.StudyBenchmark;
import handoff.topologies.TopologiesBenchmark;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All studies; to add one, write its package and name it here. */
public enum Study {
    SCALING(ScalingBenchmark::new),
    LADDER(LadderBenchmark::new),
    TOPOLOGIES(TopologiesBenchmark::new),
    LATENCY(LatencyBenchmark::new),
    COUNTERS(CountersBenchmark::new),
    EXECUTORS(ExecutorsBenchmark::new),
    RING(RingBenchmark::new),
    ACTORS(ActorsBenchmark::new),
    HOPS(HopsBenchmark::new);

    private final Supplier<StudyBenchmark> opening;

    Study(Supplier<StudyBenchmark> opening) {
        this.opening = opening;
    }

    /** Returns a benchmark whose parameters are not set yet. */
    StudyBenchmark open() {
        return opening.get();
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
        return "^" + open().getClass().getName().replace(".", "\\.") + "\\.";
    }

    Map<String, Parameter> parameters() {
        return Parameter.of(open().getClass());
    }

    /**
     * Refuses a parameter that the mechanism ignores: in the results, it would seem to have made a
     * difference.
     */
    private void refuseIdle(Map<String, String> point, Map<String, Parameter> parameters) {
        String mechanism = point.get("mechanism");
        List<String> used = open().mechanisms().get(mechanism);
        point.forEach((name, value) -> {
            boolean matters = name.equals("mechanism") || used.contains(name);
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
        StudyBenchmark benchmark = open();
        Parameter.set(benchmark, spellOut(given));
        Plan plan = benchmark.plan(machine);
        return new Places(plan, benchmark.heap(machine, plan), Housekeeping.of(machine, plan));
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
