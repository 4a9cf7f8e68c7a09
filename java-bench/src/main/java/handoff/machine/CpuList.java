package handoff.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The kernel's notation for a set of CPUs, such as {@code 0-5,12}. */
final class CpuList {
    /** Limit on CPU ids: eight times what any kernel can be built for. */
    private static final int MOST = 1 << 16;

    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    private CpuList() {}

    /**
     * @throws NumberFormatException when {@code text} is not such a list
     */
    static SortedSet<Integer> parse(String text) {
        SortedSet<Integer> ids = new TreeSet<>();
        for (String range : text.strip().split(",")) {
            if (!range.isBlank()) {
                Matcher ends = RANGE.matcher(range.strip());
                if (!ends.matches()) {
                    throw new NumberFormatException(range.strip());
                }
                int first = Integer.parseInt(ends.group(1));
                int last = ends.group(2) == null ? first : Integer.parseInt(ends.group(2));
                if (last < first || last >= MOST) {
                    throw new NumberFormatException(range.strip());
                }
                IntStream.rangeClosed(first, last).forEach(ids::add);
            }
        }
        return ids;
    }

    /** Formats a set as such a list. */
    static String format(SortedSet<Integer> ids) {
        List<String> ranges = new ArrayList<>();
        for (int id : ids) {
            if (!ids.contains(id - 1)) {
                int last = id;
                while (ids.contains(last + 1)) {
                    last++;
                }
                ranges.add(last == id ? "" + id : id + "-" + last);
            }
        }
        return String.join(",", ranges);
    }
}
