package handoff.machine;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.Optional;

/**
 * What the kernel counts of one thread in user mode, from perf_event_open(2). Virtual machines and
 * containers often offer nothing.
 */
public final class PerfCounter implements AutoCloseable {
    /** What is counted: the kernel's numbers for the type and for the event of that type. */
    public enum Event {
        /**
         * Accesses that no cache of the processor could answer, as far as its makers count them so.
         */
        CACHE_MISSES(0, 3),
        /** Of the kernel's own making, so it is there where the hardware's are not. */
        PAGE_FAULTS(1, 2);

        private final int type;
        private final long number;

        Event(int type, long number) {
            this.type = type;
            this.number = number;
        }
    }

    private static final Map<String, Long> SYSCALL = Map.of("amd64", 298L, "aarch64", 241L);
    private static final int ATTRIBUTE_BYTES = 128;

    /**
     * Of the attribute: where the flags are, and those that leave out kernel and hypervisor, which
     * would need more rights.
     */
    private static final int FLAGS = 40;

    private static final long USER_ONLY = 1 << 5 | 1 << 6;

    /**
     * Of the attribute: which times are read besides; both, for counters are few and may be taken
     * in turns.
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
     * Counts from now on for the thread {@code tid} of this process; empty where this machine does
     * not offer the counter.
     */
    public static Optional<PerfCounter> open(Event event, int tid) {
        Long number = SYSCALL.get(System.getProperty("os.arch"));
        if (number == null) {
            return Optional.empty();
        }
        Memory attribute = new Memory(ATTRIBUTE_BYTES);
        attribute.clear();
        attribute.setInt(0, event.type);
        attribute.setInt(Integer.BYTES, ATTRIBUTE_BYTES);
        attribute.setLong(Long.BYTES, event.number);
        attribute.setLong(READ_FORMAT, WITH_TIMES);
        attribute.setLong(FLAGS, USER_ONLY);
        int opened = (int) C.syscall(number, attribute, tid, -1, -1, 0);
        return opened < 0 ? Optional.empty() : Optional.of(new PerfCounter(opened));
    }

    /**
     * The count since it was opened, scaled up where it was counted in part of the thread's time
     * only; 0 while the thread has not run since, empty where it has and was not counted.
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
