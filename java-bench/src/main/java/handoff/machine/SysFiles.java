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

/** Small files of /sys and /proc below a root, which tests replace by a captured machine. */
record SysFiles(Path root) {
    /** Longer than any file of the kernel's that is read whole. */
    private static final int LONGEST = 1 << 20;

    private static final int BEGINNING = 1 << 16;

    /**
     * The file's text, stripped of white space and of the NUL bytes that some kernels leave; empty
     * when unreadable, or no plain file.
     *
     * @throws NumberFormatException when it is longer than such a file can be
     */
    Optional<String> text(String path) {
        Optional<String> text = read(path, LONGEST + 1);
        if (text.map(String::length).orElse(0) > LONGEST) {
            throw new NumberFormatException(path + " is longer than " + LONGEST + " bytes");
        }
        return text;
    }

    /** The same of the file's first part: what describes a CPU is as long as there are CPUs. */
    Optional<String> beginning(String path) {
        return read(path, BEGINNING);
    }

    private Optional<String> read(String path, int most) {
        Path file = root.resolve(path);
        // A pipe would never end, a device neither.
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (InputStream opened = Files.newInputStream(file)) {
            String text = new String(opened.readNBytes(most), StandardCharsets.ISO_8859_1)
                    .replace("\0", "")
                    .strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** The names in a folder that begin so, sorted; none where there is no folder. */
    List<String> names(String folder, String beginning) {
        try (Stream<Path> entries = Files.list(root.resolve(folder))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith(beginning))
                    .sorted()
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** A whole number, or empty; the kernel's -1 means "unknown" and is empty too. */
    Optional<Integer> number(String path) {
        return text(path).map(Integer::valueOf).filter(n -> n >= 0);
    }

    /** A greater one, such as microseconds. */
    Optional<Long> amount(String path) {
        return text(path).map(Long::valueOf).filter(n -> n >= 0);
    }

    /** A set of CPUs, from the list file or else from the mask file of older kernels. */
    Optional<SortedSet<Integer>> cpus(String listFile, String maskFile) {
        return text(listFile).map(CpuList::parse).or(() -> text(maskFile).map(CpuList::parseMask));
    }

    /** The value of a {@code Key:\tvalue} line, as in /proc/self/status. */
    Optional<String> field(String path, String key) {
        return text(path).flatMap(text -> text.lines()
                .filter(line -> line.startsWith(key + ":"))
                .map(line -> line.substring(key.length() + 1).strip())
                .findFirst());
    }
}
