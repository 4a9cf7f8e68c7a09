package handoff.mechanism;

import handoff.input.BadInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One way to do what a study measures: a constant of the study's enum. */
public interface Mechanism {
    String name();

    /** Returns the parameters that the mechanism uses; the others keep their defaults. */
    List<String> parameters();

    /** Maps each mechanism to its parameters, in the given order. */
    static Map<String, List<String>> parameters(Mechanism... mechanisms) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        Stream.of(mechanisms)
                .forEach(mechanism -> parameters.put(mechanism.name(), mechanism.parameters()));
        return parameters;
    }

    /** Concatenates two lists of parameters. */
    static List<String> all(List<String> some, List<String> others) {
        return Stream.of(some, others).flatMap(List::stream).toList();
    }

    /**
     * Checks the capacity of a ring.
     *
     * @param ring how the user knows it
     * @throws BadInput unless {@code capacity} is a power of two
     */
    static void checkCapacity(String ring, int capacity) {
        int lower = Integer.highestOneBit(capacity);
        if (capacity != lower) {
            throw new BadInput("capacity=%s: %s needs a power of two, such as %s or %s."
                    .formatted(capacity, ring, lower, 2 * lower));
        }
    }
}
