package handoff.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Stream;

/** Small files of /sys and /proc below a root, which tests replace with a captured machine. */
record SysFiles(Path root) {
    private static final int HEAD = 1 << 16;

    /**
     * Returns the file's text without surrounding white space and without the NUL bytes that some
     * kernels leave; empty when unreadable.
     */
    Optional<String> text(String path) {
        return read(path, Integer.MAX_VALUE);
    }

    /** Returns the start of the file, for files that grow with the number of CPUs. */
    Optional<String> head(String path) {
        return read(path, HEAD);
    }

    private Optional<String> read(String path, int limit) {
        try (InputStream stream = Files.newInputStream(root.resolve(path))) {
            String text = new String(stream.readNBytes(limit), StandardCharsets.ISO_8859_1)
                    .replace("\0", "")
                    .strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /**
     * Returns the names in a folder that start with {@code prefix}, sorted; empty without a folder.
     */
    List<String> names(String folder, String prefix) {
        try (Stream<Path> entries = Files.list(root.resolve(folder))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** Returns a whole number; empty when unreadable or negative, the kernel's "unknown". */
    Optional<Integer> number(String path) {
        return text(path).map(Integer::valueOf).filter(n -> n >= 0);
    }

    /** Returns a number that may exceed an int, such as microseconds. */
    Optional<Long> amount(String path) {
        return text(path).map(Long::valueOf).filter(n -> n >= 0);
    }

    /** Returns the CPUs of a list. */
    Optional<SortedSet<Integer>> cpus(String path) {
        return text(path).map(CpuList::parse);
    }

    /** Returns the value of a {@code Key:\tvalue} line, as in /proc/self/status. */
    Optional<String> field(String path, String key) {
        return text(path)
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith(key + ":"))
                        .map(line -> line.substring(key.length() + 1).strip())
                        .findFirst());
    }
}
