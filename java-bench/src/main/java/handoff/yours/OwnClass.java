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
 * The user's own class, which {@code -Dhandoff.yours=NAME@SHA256} names: an {@link Exchange} with a
 * constructor that takes a capacity. The digest is of all class files in its folder, by name: each
 * file's name, then its bytes.
 */
public final class OwnClass {
    private static final String PROPERTY = "handoff.yours";

    private OwnClass() {}

    /** Returns whether this JVM was given one. */
    public static boolean isGiven() {
        return System.getProperty(PROPERTY) != null;
    }

    /** Returns its name. */
    public static String name() {
        return word().split("@")[0];
    }

    /**
     * Creates an instance.
     *
     * @throws IllegalStateException when it is missing, has another digest, or its constructor
     *     throws
     */
    @SuppressWarnings("unchecked")
    public static <T> Exchange<T> open(int capacity) {
        try {
            Class<?> type = Class.forName(name());
            String digest = digest(type);
            if (!word().endsWith("@" + digest)) {
                throw new IllegalStateException(name() + " is not the class that was named.");
            }
            var constructor = type.getDeclaredConstructor(int.class);
            constructor.setAccessible(true);
            return (Exchange<T>) Exchange.class.cast(constructor.newInstance(capacity));
        } catch (InvocationTargetException thrown) {
            throw new IllegalStateException(
                    name() + "(" + capacity + ") threw " + thrown.getCause(), thrown.getCause());
        } catch (ReflectiveOperationException | ClassCastException unfit) {
            throw new IllegalStateException(
                    name() + " is not an Exchange with a constructor (int capacity): " + unfit,
                    unfit);
        }
    }

    private static String word() {
        String word = System.getProperty(PROPERTY);
        if (word == null) {
            throw new IllegalStateException(
                    "YOURS needs a class: expected -D" + PROPERTY + "=NAME@SHA256, got none.");
        }
        return word;
    }

    private static String digest(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IllegalStateException(type.getName() + " is a class of the JDK.");
        }
        try (Stream<Path> files = Files.list(Path.of(source.getLocation().toURI()))) {
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
        } catch (URISyntaxException | NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
