package handoff.ring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;

/**
 * Loads the classes of a jar inside this jar and, apart from them, only the JDK's, so that the two
 * jars' classes never mix.
 */
final class NestedJar extends ClassLoader {
    static final NestedJar SCALA = new NestedJar("scala-actors.jar");

    private final Map<String, byte[]> files = new HashMap<>();

    private NestedJar(String resource) {
        super("nested " + resource, ClassLoader.getPlatformClassLoader());
        try (InputStream nested = NestedJar.class.getClassLoader().getResourceAsStream(resource)) {
            if (nested == null) {
                throw new IllegalStateException(
                        resource + " is missing from the jar: build it with mvn package.");
            }
            JarInputStream entries = new JarInputStream(nested);
            for (JarEntry entry = entries.getNextJarEntry();
                    entry != null;
                    entry = entries.getNextJarEntry()) {
                files.put(entry.getName(), entries.readAllBytes());
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] content = files.get(name.replace('.', '/') + ".class");
        if (content == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, content, 0, content.length);
    }
}
