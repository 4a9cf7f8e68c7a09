package handoff.yours;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ends the JVM when progress stops: a producer that waits in a dead queue cannot be ended in
 * another way.
 */
public final class Watchdog {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int EXIT = 3;

    private final LongSupplier progress;
    private final String name;
    private final Thread thread = new Thread(this::look, "watchdog");

    /**
     * @param progress a count that grows as long as all is well
     * @param name name of the counted class, for the message
     */
    public Watchdog(LongSupplier progress, String name) {
        this.progress = progress;
        this.name = name;
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        long seen = progress.getAsLong();
        long since = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(LOOK.toMillis());
                long now = progress.getAsLong();
                if (now != seen) {
                    seen = now;
                    since = System.nanoTime();
                }
                if (System.nanoTime() - since > PATIENCE.toNanos()) {
                    System.err.printf(
                            "java.lang.IllegalStateException: %s stood still: no event was taken"
                                    + " for %d seconds, after %d.%n",
                            name, PATIENCE.toSeconds(), seen);
                    System.err.flush();
                    Runtime.getRuntime().halt(EXIT);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops watching. */
    public void close() {
        thread.interrupt();
    }
}
