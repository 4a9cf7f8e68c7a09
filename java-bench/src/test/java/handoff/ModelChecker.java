package handoff;

import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Lincheck's model checker. */
public final class ModelChecker {
    private ModelChecker() {}

    /** Returns the summary of a fault, without its trace by source line, or null. */
    public static String fault(ModelCheckingOptions options, Class<?> model) {
        try {
            options.check(model);
            return null;
        } catch (LincheckAssertionError fault) {
            return fault.getMessage().split("Detailed trace", 2)[0].strip();
        }
    }

    /** Returns one call of an operation of the model. */
    public static Actor actor(Class<?> model, String name, Integer... arguments) {
        return new Actor(
                Stream.of(model.getMethods())
                        .filter(method -> method.getName().equals(name))
                        .findFirst()
                        .orElseThrow(),
                List.of(arguments));
    }
}
