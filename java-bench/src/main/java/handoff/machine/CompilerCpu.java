package handoff.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** CPU time of this JVM's just-in-time compiler threads, excluding the collector's. */
public final class CompilerCpu {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** Thread names as the kernel truncates them, to 15 characters. */
    private static final List<String> NAMES =
            List.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI-native Co");

    private CompilerCpu() {}

    /**
     * Returns the nanoseconds used so far by the live compiler threads; null where the kernel does
     * not report them. A JVM that needs fewer compilers ends some threads, so that a later reading
     * may be below an earlier one.
     */
    public static Long readNs() {
        try (Stream<Path> tasks = Files.list(TASKS)) {
            long sum = 0;
            for (Path task : (Iterable<Path>) tasks::iterator) {
                sum += ofCompiler(task);
            }
            return sum;
        } catch (IOException unavailable) {
            return null;
        }
    }

    private static long ofCompiler(Path task) throws IOException {
        try {
            if (!NAMES.contains(Files.readString(task.resolve("comm")).strip())) {
                return 0;
            }
        } catch (IOException ended) {
            return 0;
        }
        try {
            return Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]);
        } catch (NoSuchFileException noStatistics) {
            if (Files.exists(task)) {
                throw noStatistics;
            }
            return 0;
        }
    }
}
