package handoff.machine;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * CPU time of the process from getrusage(2), to the microsecond; /proc and the JDK's bean have
 * steps of 10 ms. The sum is exact; how it splits into user and system is sampled by the kernel's
 * tick.
 */
public record ProcessCpu(long userNs, long systemNs) {
    private static final int RUSAGE_SELF = 0;

    /**
     * Size of the C structure: two times of two longs each, which are read, then fourteen counters,
     * which the kernel writes too.
     */
    private static final int STRUCTURE_BYTES = (2 * 2 + 14) * Long.BYTES;

    /** The C library, bound once. */
    private static final class C {
        static {
            Native.register(C.class, "c");
        }

        static native int getrusage(int who, Pointer usage);
    }

    /**
     * @throws IllegalStateException when the kernel does not answer
     */
    public static ProcessCpu read() {
        Memory usage = new Memory(STRUCTURE_BYTES);
        if (C.getrusage(RUSAGE_SELF, usage) != 0) {
            throw new IllegalStateException(
                    "getrusage failed with errno " + Native.getLastError() + ".");
        }
        return new ProcessCpu(nanos(usage, 0), nanos(usage, 2 * Long.BYTES));
    }

    private static long nanos(Memory usage, int offset) {
        return usage.getLong(offset) * 1_000_000_000L + usage.getLong(offset + Long.BYTES) * 1_000L;
    }

    public ProcessCpu minus(ProcessCpu earlier) {
        return new ProcessCpu(userNs - earlier.userNs, systemNs - earlier.systemNs);
    }
}
