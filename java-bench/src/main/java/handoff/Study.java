package handoff;

import handoff.actors.Actors;
import handoff.counters.Counters;
import handoff.executors.Executors;
import handoff.latency.Latency;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.ring.Ring;
import handoff.scaling.Scaling;
import handoff.topologies.Topologies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The list of all studies: to add one, write its room and name it here. */
public enum Study {
    SCALING(Scaling.class, new handoff.scaling.Rules()),
    TOPOLOGIES(Topologies.class, new handoff.topologies.Rules()),
    LATENCY(Latency.class, new handoff.latency.Rules()),
    COUNTERS(Counters.class, new handoff.counters.Rules()),
    EXECUTORS(Executors.class, new handoff.executors.Rules()),
    RING(Ring.class, new handoff.ring.Rules()),
    ACTORS(Actors.class, new handoff.actors.Rules());

    /** What a study knows beyond the range of each single parameter. */
    public interface Rules {
        /** Mechanism to the names of the parameters that make a difference to it. */
        Map<String, List<String>> mechanisms();

        /**
         * The threads' places for one point.
         *
         * @param point every parameter of the study, each value allowed by itself
         * @throws BadInput when the values do not go together, or this machine cannot do it
         */
        Plan plan(Map<String, String> point, Topology machine);

        /** The names of what a shot measures beyond time and CPU; see {@link handoff.measure.Findings}. */
        default List<String> measures() {
            return List.of();
        }

        /** Whether a shot says something only when it is long enough to fill the queue. */
        default boolean fills() {
            return true;
        }
    }

    private final Class<?> benchmark;
    private final Rules rules;

    Study(Class<?> benchmark, Rules rules) {
        this.benchmark = benchmark;
        this.rules = rules;
    }

    /** @throws BadInput when no study has that name */
    static Study named(String word) {
        return Stream.of(values()).filter(study -> study.word().equals(word)).findFirst().orElseThrow(() ->
            new BadInput(word + " is neither a study nor a verb: allowed is " + Main.WORDS + "."));
    }

    static String words() {
        return Stream.of(values()).map(Study::word).collect(Collectors.joining(", "));
    }

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** JMH's regular expression for this study alone. */
    String include() {
        return "^" + benchmark.getName().replace(".", "\\.") + "\\.";
    }

    Map<String, Parameter> parameters() {
        return Parameter.of(benchmark);
    }

    Map<String, List<String>> mechanisms() {
        return rules.mechanisms();
    }

    List<String> measures() {
        return rules.measures();
    }

    boolean fills() {
        return rules.fills();
    }

    /** A parameter that its mechanism does not have would stand in the results as if it had made a difference. */
    private void refuseIdle(Map<String, String> point, Map<String, Parameter> parameters) {
        String mechanism = point.get("mechanism");
        point.forEach((name, value) -> {
            boolean matters = name.equals("mechanism") || mechanisms().get(mechanism).contains(name);
            if (!matters && !value.equals(parameters.get(name).standard())) {
                throw new BadInput(name + "=" + value + ": " + mechanism + " has no " + name + "; leave it at "
                    + parameters.get(name).standard() + ".");
            }
        });
    }

    /**
     * Checks {@code given} name by name, value by value and as a whole.
     *
     * @throws BadInput with what is wrong and what is allowed
     */
    Plan plan(Map<String, String> given, Topology machine) {
        Map<String, Parameter> parameters = parameters();
        Map<String, String> point = new LinkedHashMap<>();
        parameters.forEach((name, parameter) -> point.put(name, parameter.standard()));
        given.forEach((name, value) -> {
            if (!parameters.containsKey(name)) {
                throw new BadInput(word() + " has no parameter " + name + ": allowed is " + String.join(", ", parameters.keySet()) + ".");
            }
            parameters.get(name).check(value);
            point.put(name, value);
        });
        refuseIdle(point, parameters);
        return rules.plan(point, machine);
    }
}
