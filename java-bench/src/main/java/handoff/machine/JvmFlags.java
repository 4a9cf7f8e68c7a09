package handoff.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The flags of this JVM, read back because it may have turned off a requested one. */
public final class JvmFlags {
    private static final List<String> ALWAYS =
            List.of("InitialHeapSize", "MaxHeapSize", "MaxNewSize", "UseNUMA", "AlwaysPreTouch");

    /** {@code -XX:+Name}, {@code -XX:-Name}, {@code -XX:Name=value}. */
    private static final Pattern NAMED = Pattern.compile("-XX:[+-]?(\\w+).*");

    private JvmFlags() {}

    /** Returns the flags as given, without those that contain a path. */
    public static List<String> requested() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.contains("/"))
                .toList();
    }

    /** Returns whether a flag such as {@code UseNUMA} is on. */
    public static boolean isOn(String name) {
        return Boolean.parseBoolean(value(name));
    }

    private static String value(String name) {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption(name)
                .getValue();
    }

    /**
     * Returns the values of the requested flags and the heap's, by name, as far as the JVM reports
     * them.
     */
    public static Map<String, String> inForce() {
        Map<String, String> values = new TreeMap<>();
        Stream<String> named = requested().stream()
                .map(NAMED::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1));
        Stream.concat(ALWAYS.stream(), named).forEach(name -> {
            try {
                values.put(name, value(name));
            } catch (IllegalArgumentException notReported) {
                // For example the options of compiler commands.
            }
        });
        return values;
    }
}
