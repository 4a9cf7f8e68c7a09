package handoff.measure;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The flags of this JVM, read back from it: what was asked for, it may have turned off again. */
final class JvmFlags {
    private static final List<String> ALWAYS =
            List.of("InitialHeapSize", "MaxHeapSize", "MaxNewSize", "UseNUMA", "AlwaysPreTouch");

    /** {@code -XX:+Name}, {@code -XX:-Name}, {@code -XX:Name=value}. */
    private static final Pattern NAMED = Pattern.compile("-XX:[+-]?(\\w+).*");

    private JvmFlags() {}

    /** As given, without those that name folders. */
    static List<String> asked() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.contains("/"))
                .toList();
    }

    /**
     * Name to value of those asked for and of the heap's; those that the JVM does not tell are
     * missing.
     */
    static Map<String, String> inForce() {
        HotSpotDiagnosticMXBean jvm =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        Map<String, String> values = new TreeMap<>();
        Stream<String> named = asked().stream()
                .map(NAMED::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1));
        Stream.concat(ALWAYS.stream(), named).forEach(name -> {
            try {
                values.put(name, jvm.getVMOption(name).getValue());
            } catch (IllegalArgumentException untold) {
                // Such as the options of commands to the compiler.
            }
        });
        return values;
    }
}
