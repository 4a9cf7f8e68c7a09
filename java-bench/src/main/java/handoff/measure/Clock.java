package handoff.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The clock behind {@link System#nanoTime}.
 *
 * @param source the kernel's clock source, such as {@code tsc}; null where unknown
 * @param invariant whether the time stamp counter runs at one speed in all power states; null where
 *     the kernel does not report it
 * @param readNs the cost of one reading, nanoseconds
 */
public record Clock(String source, Boolean invariant, double readNs) {
    private static final Path SOURCE =
            Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    private static final Path CPUS = Path.of("/proc/cpuinfo");
    private static final int READINGS = 1_000_000;

    static Clock current() {
        return new Clock(kernelsSource(), runsAtOneSpeed(), nanosPerReading(READINGS));
    }

    /** Returns the mean cost of a reading in a row of them, as in the Disruptor's latency test. */
    public static double nanosPerReading(int readings) {
        long start = System.nanoTime();
        long last = start;
        for (int i = 0; i < readings; i++) {
            last = System.nanoTime();
        }
        return (double) (last - start) / readings;
    }

    private static String kernelsSource() {
        try {
            return Files.readString(SOURCE).strip();
        } catch (IOException unavailable) {
            return null;
        }
    }

    private static Boolean runsAtOneSpeed() {
        try {
            return Files.readAllLines(CPUS).stream()
                    .filter(line -> line.startsWith("flags"))
                    .findFirst()
                    .map(line -> List.of(line.split("\\s+"))
                            .containsAll(List.of("constant_tsc", "nonstop_tsc")))
                    .orElse(null);
        } catch (IOException unavailable) {
            return null;
        }
    }
}
