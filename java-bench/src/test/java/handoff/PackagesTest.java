package handoff;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that packages import only those below them, and that no study imports another. */
class PackagesTest {
    private static final List<String> BASE =
            List.of("input", "machine", "measure", "work", "mechanism", "yours", "study");
    private static final String TOP = "cli";
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?handoff\\.(\\w+)\\.", Pattern.MULTILINE);

    static Stream<Path> sources() throws IOException {
        Path root = Path.of(System.getProperty("basedir"), "..", "src", "main", "java", "handoff");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void importsPointDown(Path source) throws IOException {
        String pkg = source.getParent().getFileName().toString();
        Matcher imports = IMPORT.matcher(Files.readString(source));
        while (imports.find()) {
            String other = imports.group(1);
            assertTrue(
                    other.equals(pkg) || layer(other) < layer(pkg),
                    source + ": " + pkg + " may not import " + other);
        }
    }

    /** Returns the package's layer; studies share one, so none may import another. */
    private static int layer(String pkg) {
        if (pkg.equals(TOP)) {
            return BASE.size() + 1;
        }
        return BASE.contains(pkg) ? BASE.indexOf(pkg) : BASE.size();
    }
}
