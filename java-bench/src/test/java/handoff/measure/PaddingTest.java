package handoff.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/** Checks where HotSpot actually puts the fields of every padded class, in this JVM. */
class PaddingTest {
    /** Two lines of 64 bytes, which a processor may fetch at once. */
    private static final int APART = 128;

    /** A field that is written: its offsets and its writer. */
    private record Written(String name, String writer, long start, long end) {}

    static Stream<Class<?>> padded() throws IOException {
        Path classes = Path.of(Padding.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        try (Stream<Path> files = Files.walk(classes.resolve("handoff"))) {
            List<Class<?>> types = files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                    .<Class<?>>map(PaddingTest::load)
                    .filter(Padding.class::isAssignableFrom)
                    .filter(type -> type != Padding.class)
                    .toList();
            // A state class is a layer of the class that extends it; Mailbox is both.
            return types.stream()
                    .filter(type -> types.stream().noneMatch(other -> other.getSuperclass() == type)
                            || type.getSimpleName().equals("Mailbox"));
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PaddingTest.class.getClassLoader());
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @ParameterizedTest
    @MethodSource("padded")
    void writersAreApartFromEachOtherAndFromTheNeighbours(Class<?> type) throws Exception {
        ClassLayout layout = ClassLayout.parseClass(type);
        List<Written> written = written(type, layout);
        assertTrue(!written.isEmpty(), type + " is padded, but has no field that is written");
        for (Written one : written) {
            assertTrue(
                    one.start() >= APART,
                    one + " is near the object before: " + layout.toPrintable());
            assertTrue(
                    layout.instanceSize() - one.end() >= APART,
                    one + " is near the object behind: " + layout.toPrintable());
            for (Written other : written) {
                boolean near =
                        one.start() < other.end() + APART && other.start() < one.end() + APART;
                assertTrue(
                        !near || one.writer().equals(other.writer()),
                        one + " is near " + other + ": " + layout.toPrintable());
            }
        }
    }

    /** Returns the fields that are neither final nor padding; each must name its writer. */
    private static List<Written> written(Class<?> type, ClassLayout layout) throws Exception {
        List<Written> fields = new ArrayList<>();
        for (FieldLayout field : layout.fields()) {
            Field declared = declared(type, field);
            boolean padding = field.name().matches("hole|between|behind|[lmr]\\d+");
            if (padding || Modifier.isFinal(declared.getModifiers())) {
                continue;
            }
            WrittenBy writer = declared.getAnnotation(WrittenBy.class);
            assertTrue(writer != null, type + "." + field.name() + " does not name its writer");
            fields.add(new Written(
                    field.name(), writer.value(), field.offset(), field.offset() + field.size()));
        }
        return fields;
    }

    private static Field declared(Class<?> type, FieldLayout field) throws NoSuchFieldException {
        Class<?> at = type;
        while (!at.getName().equals(field.hostClass())) {
            at = at.getSuperclass();
        }
        return at.getDeclaredField(field.name());
    }

    /** Checks that no subclass has a field in the hole behind the header. */
    @ParameterizedTest
    @MethodSource("padded")
    void thePaddingItselfComesFirst(Class<?> type) {
        ClassLayout layout = ClassLayout.parseClass(type);
        assertEquals("Padding", layout.fields().first().classShortName());
    }
}
