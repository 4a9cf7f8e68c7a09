package handoff.queues;

import com.google.gson.GsonBuilder;
import handoff.yours.Hammer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * {@code TASK SUBJECT...}: prints one line of JSON per {@link Subject}, {@code {"token": T,
 * "wrong": the fault, or null}}. T is the line of standard input, read before any other class is
 * loaded, so that the tested class cannot print it.
 *
 * <ul>
 *   <li>{@code hammer}: the fault that two real threads find in it, or in the user's own class
 *   <li>{@code exchange}: the fault that the model checker finds
 *   <li>{@code check}: the same by a class QueueCheck on the class path, with its options
 * </ul>
 */
public final class Main {
    private static final String CHECK = "QueueCheck";

    private Main() {}

    private record Result(String token, String wrong) {}

    /**
     * @throws ReflectiveOperationException when no QueueCheck with a static options() exists
     * @throws IOException when standard input cannot be read
     */
    public static void main(String[] words) throws ReflectiveOperationException, IOException {
        String token = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine();
        PrintStream out = System.out;
        // The tested class must not print between the answers.
        System.setOut(System.err);
        for (int i = 1; i < words.length; i++) {
            Subject.choose(words[i]);
            out.println(new GsonBuilder()
                    .serializeNulls()
                    .create()
                    .toJson(new Result(token, find(words[0]))));
            out.flush();
        }
        // Hammering may leave waiting threads.
        Runtime.getRuntime().halt(0);
    }

    private static String find(String what) throws ReflectiveOperationException {
        return switch (what) {
            case "hammer" -> Hammer.find(Subject::exchange);
            case "exchange" -> explore(ExchangeModel.options(), ExchangeModel.class);
            case "check" -> {
                Subject.hide();
                Class<?> model = Class.forName(CHECK);
                var options = model.getDeclaredMethod("options");
                options.setAccessible(true);
                yield explore((ModelCheckingOptions) options.invoke(null), model);
            }
            default -> throw new IllegalArgumentException("unknown task '" + what + "'");
        };
    }

    /** Returns the checker's summary, without the trace by source line that follows it, or null. */
    private static String explore(ModelCheckingOptions options, Class<?> model) {
        try {
            options.check(model);
            return null;
        } catch (LincheckAssertionError failure) {
            return failure.getMessage().split("Detailed trace", 2)[0].strip();
        }
    }
}
