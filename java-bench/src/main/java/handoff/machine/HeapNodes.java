package handoff.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The NUMA nodes that actually hold the heap: pages per node of the large anonymous mappings, from
 * numa_maps.
 */
public final class HeapNodes {
    private static final Pattern PAGES_ON_NODE = Pattern.compile(" N(\\d+)=(\\d+)");
    private static final Pattern ANONYMOUS = Pattern.compile(" anon=(\\d+)");

    /** 16 MiB of small pages: the heap is far larger, code caches and thread stacks are smaller. */
    private static final long LARGE = 4096;

    private HeapNodes() {}

    /** Returns the pages per node id; null where the kernel has no numa_maps. */
    public static Map<Integer, Long> ofThisProcess() {
        try {
            return of(Files.readString(Path.of("/proc/self/numa_maps")));
        } catch (IOException absent) {
            return null;
        }
    }

    static Map<Integer, Long> of(String numaMaps) {
        Map<Integer, Long> pages = new TreeMap<>();
        numaMaps.lines().filter(HeapNodes::isLarge).forEach(line -> {
            Matcher node = PAGES_ON_NODE.matcher(line);
            while (node.find()) {
                pages.merge(Integer.valueOf(node.group(1)), Long.valueOf(node.group(2)), Long::sum);
            }
        });
        return pages;
    }

    private static boolean isLarge(String line) {
        Matcher anonymous = ANONYMOUS.matcher(line);
        return anonymous.find() && Long.parseLong(anonymous.group(1)) >= LARGE;
    }
}
