package handoff.input;

import com.google.gson.annotations.SerializedName;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Param;

/**
 * A {@code @Param} field of a study, with the values that {@code -p name=value} accepts. Checked
 * here because JMH ignores an unknown name and skips a point whose value it cannot parse, both with
 * exit code 0.
 *
 * @param values the accepted words, or null for a whole number
 * @param min the smallest whole number accepted, or null for a word; likewise {@code max}
 * @param pattern regular expression of further words, or null; likewise {@code example}, one such
 *     word
 */
public record Parameter(
        String name,
        List<String> values,
        Long min,
        Long max,
        String pattern,
        String example,
        @SerializedName("default") String defaultValue) {

    /** Returns the parameters of a benchmark class, in source order. */
    public static Map<String, Parameter> of(Class<?> benchmark) {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        Stream.of(benchmark.getFields())
                .filter(field -> field.isAnnotationPresent(Param.class))
                .forEach(field -> parameters.put(field.getName(), of(field)));
        return parameters;
    }

    /** Sets parameters of a benchmark to values that {@link #check} accepts. */
    public static void set(Object benchmark, Map<String, String> point) {
        point.forEach((name, value) -> {
            try {
                Field field = benchmark.getClass().getField(name);
                field.set(benchmark, parse(value, field.getType()));
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    private static Object parse(String value, Class<?> type) {
        if (type == String.class) {
            return value;
        }
        if (type == int.class) {
            return Integer.valueOf(value);
        }
        if (type == long.class) {
            return Long.valueOf(value);
        }
        return Stream.of(type.getEnumConstants())
                .filter(word -> word.toString().equals(value))
                .findFirst()
                .orElseThrow();
    }

    private static Parameter of(Field field) {
        Range range = field.getAnnotation(Range.class);
        Words words = field.getAnnotation(Words.class);
        boolean more = words != null && !words.pattern().isEmpty();
        return new Parameter(
                field.getName(),
                range == null ? names(words == null ? field.getType() : words.value()) : null,
                range == null ? null : range.min(),
                range == null ? null : range.max(),
                more ? words.pattern() : null,
                more ? words.example() : null,
                field.getAnnotation(Param.class).value()[0]);
    }

    private static List<String> names(Class<?> words) {
        return Stream.of(words.getEnumConstants()).map(Object::toString).toList();
    }

    /**
     * @throws BadInput unless {@code value} is allowed
     */
    public void check(String value) {
        if (!allows(value)) {
            throw new BadInput("%s=%s: %s.".formatted(name, value, choices()));
        }
    }

    private String choices() {
        if (values == null) {
            return "expected a whole number from %s to %s".formatted(min, max);
        }
        String word = pattern == null ? "" : ", or a word such as " + example;
        return "choose from " + String.join(", ", values) + word;
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
