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

/** A room imports only those below it; a study knows no other study. */
class RoomsTest {
    private static final List<String> GROUND =
            List.of("input", "machine", "measure", "mechanism", "yours", "study");
    private static final String ROOF = "cli";
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
        String room = source.getParent().getFileName().toString();
        Matcher imports = IMPORT.matcher(Files.readString(source));
        while (imports.find()) {
            String other = imports.group(1);
            assertTrue(
                    other.equals(room) || floor(other) < floor(room),
                    source + ": " + room + " may not import " + other);
        }
    }

    /** Studies share one floor, so none may import another. */
    private static int floor(String room) {
        if (room.equals(ROOF)) {
            return GROUND.size() + 1;
        }
        return GROUND.contains(room) ? GROUND.indexOf(room) : GROUND.size();
    }
}
