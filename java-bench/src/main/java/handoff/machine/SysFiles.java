package handoff.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedSet;

/** Small files of /sys and /proc below a root, which tests replace by a captured machine. */
record SysFiles(Path root) {

    /**
     * The file's text, stripped of white space and of the NUL bytes that some kernels leave; empty
     * when unreadable.
     */
    Optional<String> text(String path) {
        try {
            byte[] bytes = Files.readAllBytes(root.resolve(path));
            String text = new String(bytes, StandardCharsets.ISO_8859_1)
                    .replace("\0", "")
                    .strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** A whole number, or empty; the kernel's -1 means "unknown" and is empty too. */
    Optional<Integer> number(String path) {
        return text(path).map(Integer::valueOf).filter(n -> n >= 0);
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
