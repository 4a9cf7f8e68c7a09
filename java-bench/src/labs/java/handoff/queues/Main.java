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
 * {@code WHAT SUBJECT...}: for each {@link Subject} a line of JSON, {@code {"token": T, "wrong":
 * what was found, or null}}. T is the line of standard input, read before any other class is
 * loaded: what the tried class itself prints does not have it.
 *
 * <ul>
 *   <li>{@code hammer}: what two real threads find in it, or in one's own class
 *   <li>{@code exchange}: what the model checker finds
 *   <li>{@code check}: what it finds by a class QueueCheck of the class path, and its own options
 * </ul>
 */
public final class Main {
    private static final String CHECK = "QueueCheck";

    private Main() {}

    private record Found(String token, String wrong) {}

    /**
     * @throws ReflectiveOperationException when there is no QueueCheck with a static options()
     * @throws IOException when standard input cannot be read
     */
    public static void main(String[] words) throws ReflectiveOperationException, IOException {
        String token = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine();
        PrintStream out = System.out;
        // What the tried class prints is no answer.
        System.setOut(System.err);
        for (int i = 1; i < words.length; i++) {
            Subject.choose(words[i]);
            out.println(new GsonBuilder()
                    .serializeNulls()
                    .create()
                    .toJson(new Found(token, find(words[0]))));
            out.flush();
        }
        // Hammering may leave threads that wait.
        Runtime.getRuntime().halt(0);
    }

    private static String find(String what) throws ReflectiveOperationException {
        return switch (what) {
            case "hammer" -> Hammer.find(Subject::exchange);
            case "exchange" -> explore(ExchangeModel.options(), ExchangeModel.class);
            case "check" -> {
                Subject.hide();
                Class<?> own = Class.forName(CHECK);
                var options = own.getDeclaredMethod("options");
                options.setAccessible(true);
                yield explore((ModelCheckingOptions) options.invoke(null), own);
            }
            default -> throw new IllegalArgumentException("There is no " + what + ".");
        };
    }

    /** The summary; the trace by source line that follows it is left out. */
    private static String explore(ModelCheckingOptions options, Class<?> model) {
        try {
            options.check(model);
            return null;
        } catch (LincheckAssertionError found) {
            return found.getMessage().split("Detailed trace", 2)[0].strip();
        }
    }
}
