package handoff.mechanism;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One way to do what a study measures: a constant of the study's enum. */
public interface Mechanism {
    String name();

    /** The parameters that make a difference to it; the others keep their defaults. */
    List<String> parameters();

    /** Mechanism to its parameters, in the order given. */
    static Map<String, List<String>> parameters(Mechanism... mechanisms) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        Stream.of(mechanisms)
                .forEach(mechanism -> parameters.put(mechanism.name(), mechanism.parameters()));
        return parameters;
    }

    /** Some parameters, then others. */
    static List<String> all(List<String> some, List<String> others) {
        return Stream.of(some, others).flatMap(List::stream).toList();
    }
}
