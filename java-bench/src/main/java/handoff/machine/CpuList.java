package handoff.machine;

import java.math.BigInteger;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The kernel's two spellings of a set of CPUs or nodes: the list {@code 0-5,12} and the hex mask
 * {@code 0000103f}.
 */
final class CpuList {
    private CpuList() {}

    /**
     * @throws NumberFormatException when {@code text} is not such a list
     */
    static SortedSet<Integer> parse(String text) {
        SortedSet<Integer> ids = new TreeSet<>();
        for (String range : text.strip().split(",")) {
            if (!range.isBlank()) {
                String[] ends = range.strip().split("-");
                IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .forEach(ids::add);
            }
        }
        return ids;
    }

    /**
     * Old kernels write only masks: 32-bit hex words, commas between them, the lowest CPUs last.
     */
    static SortedSet<Integer> parseMask(String text) {
        BigInteger mask = new BigInteger(text.strip().replace(",", ""), 16);
        return IntStream.range(0, mask.bitLength())
                .filter(mask::testBit)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
