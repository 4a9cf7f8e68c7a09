package handoff.input;

import com.google.gson.annotations.SerializedName;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Param;

/**
 * One {@code @Param} field of a study: what {@code -p name=value} may say. JMH itself ignores a
 * name that it does not know and leaves out a point whose value it cannot read, both with exit code
 * 0.
 *
 * @param values the words allowed, or null for a whole number
 * @param min the smallest whole number allowed, or null for a word; likewise {@code max}
 * @param pattern of further words, or null; likewise {@code example}, one of them
 */
public record Parameter(
        String name,
        List<String> values,
        Long min,
        Long max,
        String pattern,
        String example,
        @SerializedName("default") String defaultValue) {

    /** The parameters of a benchmark class, in the order of its source. */
    public static Map<String, Parameter> of(Class<?> benchmark) {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        Stream.of(benchmark.getFields())
                .filter(field -> field.isAnnotationPresent(Param.class))
                .forEach(field -> parameters.put(field.getName(), of(field)));
        return parameters;
    }

    private static Parameter of(Field field) {
        String defaultValue = field.getAnnotation(Param.class).value()[0];
        if (field.getType().isEnum()) {
            return new Parameter(
                    field.getName(), names(field.getType()), null, null, null, null, defaultValue);
        }
        if (field.isAnnotationPresent(Words.class)) {
            Words allowed = field.getAnnotation(Words.class);
            return new Parameter(
                    field.getName(),
                    names(allowed.value()),
                    null,
                    null,
                    allowed.pattern(),
                    allowed.example(),
                    defaultValue);
        }
        Range range = field.getAnnotation(Range.class);
        return new Parameter(
                field.getName(), null, range.min(), range.max(), null, null, defaultValue);
    }

    private static List<String> names(Class<?> words) {
        return Stream.of(words.getEnumConstants()).map(Object::toString).toList();
    }

    /**
     * @throws BadInput unless {@code value} is allowed
     */
    public void check(String value) {
        if (!allows(value)) {
            throw new BadInput(name
                    + "="
                    + value
                    + ": allowed is "
                    + (values == null
                            ? "a whole number from " + min + " to " + max
                            : String.join(", ", values)
                                    + (pattern == null ? "" : ", or a word such as " + example))
                    + ".");
        }
    }

    private boolean allows(String value) {
        if (values != null) {
            return values.contains(value) || pattern != null && value.matches(pattern);
        }
        try {
            long number = Long.parseLong(value);
            return number >= min && number <= max;
        } catch (NumberFormatException notWhole) {
            return false;
        }
    }
}
