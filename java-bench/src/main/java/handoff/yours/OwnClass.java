package handoff.yours;

import handoff.mechanism.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class that {@code -Dhandoff.yours=NAME@SHA256} names: an {@link Exchange} with a constructor
 * that takes a capacity. The digest is of all class files beside it, by name: each file's name,
 * then its bytes.
 */
public final class OwnClass {
    private static final String PROPERTY = "handoff.yours";

    private OwnClass() {}

    /** Whether this JVM was given one. */
    public static boolean isGiven() {
        return System.getProperty(PROPERTY) != null;
    }

    /** Its name. */
    public static String name() {
        return word().split("@")[0];
    }

    /**
     * A new one.
     *
     * @throws IllegalStateException when it is not there, is another one, or its constructor throws
     */
    @SuppressWarnings("unchecked")
    public static <T> Exchange<T> open(int capacity) {
        try {
            Class<?> found = Class.forName(name());
            String digest = digest(found);
            if (!word().endsWith("@" + digest)) {
                throw new IllegalStateException(name() + " is another class than was asked for.");
            }
            var constructor = found.getDeclaredConstructor(int.class);
            constructor.setAccessible(true);
            return (Exchange<T>) Exchange.class.cast(constructor.newInstance(capacity));
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException(
                    name() + "(" + capacity + ") threw " + thrown.getCause(), thrown.getCause());
        } catch (ReflectiveOperationException | ClassCastException unfit) {
            throw new IllegalStateException(
                    name() + " is no Exchange with a constructor (int capacity): " + unfit, unfit);
        }
    }

    private static String word() {
        String word = System.getProperty(PROPERTY);
        if (word == null) {
            throw new IllegalStateException(
                    "YOURS is a class of your own, and -D" + PROPERTY + " names none.");
        }
        return word;
    }

    private static Path folder(CodeSource source) {
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String digest(Class<?> own) {
        CodeSource source = own.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IllegalStateException(own.getName() + " is Java's own class.");
        }
        Path folder = folder(source);
        try (Stream<Path> files = Files.list(folder)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<Path> classes = files.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
            for (Path file : classes) {
                digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
