package handoff.machine;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.Optional;

/**
 * A kernel event counter of one thread in user mode, from perf_event_open(2). Virtual machines and
 * containers often offer none.
 */
public final class PerfCounter implements AutoCloseable {
    /** An event: the kernel's number of its type, and its configuration within the type. */
    public record Event(int type, long configuration) {
        /** Last-level cache misses, where the processor's maker defines the event so. */
        public static final Event CACHE_MISSES = new Event(0, 3);

        /**
         * Returns the event of a text such as {@code 4:0x4d3}.
         *
         * @throws IllegalArgumentException for another text
         */
        public static Event parse(String text) {
            String[] numbers = text.split(":", -1);
            if (numbers.length != 2) {
                throw new IllegalArgumentException(
                        "expected an event such as 4:0x4d3, got " + text);
            }
            return new Event(Integer.parseInt(numbers[0]), Long.decode(numbers[1]));
        }
    }

    private static final Map<String, Long> SYSCALL = Map.of("amd64", 298L, "aarch64", 241L);
    private static final int ATTRIBUTE_BYTES = 128;

    /**
     * Offset of the attribute's flags; the ones set exclude kernel and hypervisor, which would need
     * more rights.
     */
    private static final int FLAGS = 40;

    private static final long USER_ONLY = 1 << 5 | 1 << 6;

    /**
     * Offset of the attribute's read format: with the times enabled and running, because counters
     * are few and may be multiplexed.
     */
    private static final int READ_FORMAT = 32;

    private static final long WITH_TIMES = 1 | 2;

    /** The C library, bound once. */
    private static final class C {
        static {
            Native.register(C.class, "c");
        }

        static native long syscall(
                long number, Pointer attribute, int tid, int cpu, int group, long flags);

        static native long read(int file, Pointer to, long bytes);

        static native int close(int file);
    }

    private final int file;

    private PerfCounter(int file) {
        this.file = file;
    }

    /**
     * Starts counting for the thread {@code tid} of this process; empty where this machine does not
     * offer the counter.
     */
    public static Optional<PerfCounter> open(Event event, int tid) {
        Long number = SYSCALL.get(System.getProperty("os.arch"));
        if (number == null) {
            return Optional.empty();
        }
        Memory attribute = new Memory(ATTRIBUTE_BYTES);
        attribute.clear();
        attribute.setInt(0, event.type());
        attribute.setInt(Integer.BYTES, ATTRIBUTE_BYTES);
        attribute.setLong(Long.BYTES, event.configuration());
        attribute.setLong(READ_FORMAT, WITH_TIMES);
        attribute.setLong(FLAGS, USER_ONLY);
        int opened = (int) C.syscall(number, attribute, tid, -1, -1, 0);
        return opened < 0 ? Optional.empty() : Optional.of(new PerfCounter(opened));
    }

    /**
     * Returns the count since opening, scaled up if it was counted for part of the thread's time; 0
     * while the thread has not run, empty if it ran without being counted.
     */
    public Optional<Double> read() {
        Memory values = new Memory(3 * Long.BYTES);
        if (C.read(file, values, values.size()) != values.size()) {
            return Optional.empty();
        }
        long ran = values.getLong(Long.BYTES);
        long counted = values.getLong(2 * Long.BYTES);
        if (counted == 0) {
            return ran == 0 ? Optional.of(0.0) : Optional.empty();
        }
        return Optional.of((double) values.getLong(0) * ran / counted);
    }

    @Override
    public void close() {
        C.close(file);
    }
}
