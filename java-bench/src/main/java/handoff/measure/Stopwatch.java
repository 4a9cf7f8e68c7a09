package handoff.measure;

import com.sun.management.ThreadMXBean;
import handoff.machine.CompilerCpu;
import handoff.machine.ProcessCpu;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The clocks around a shot. Wall time is innermost: it starts last and stops first, so that it
 * never includes reading the others.
 */
final class Stopwatch {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] threadIds;
    private long[] threadCpu;
    private ProcessCpu cpu;
    private long gcMillis;
    private Long compilerNs;
    private long wallNs;

    Stopwatch(List<Thread> threads) {
        threadIds = ids(threads);
    }

    private static long[] ids(List<Thread> threads) {
        return threads.stream().mapToLong(Thread::getId).toArray();
    }

    /** Loads the classes of every clock, so that the first shot does not. */
    static void load() {
        Stopwatch first = new Stopwatch(List.of(Thread.currentThread()));
        first.start();
        first.stop();
    }

    void start() {
        compilerNs = CompilerCpu.readNs();
        gcMillis = gcMillis();
        threadCpu = THREADS.getThreadCpuTime(threadIds);
        cpu = ProcessCpu.read();
        wallNs = System.nanoTime();
    }

    void stop() {
        wallNs = System.nanoTime() - wallNs;
        cpu = ProcessCpu.read().minus(cpu);
        long[] now = THREADS.getThreadCpuTime(threadIds);
        for (int i = 0; i < now.length; i++) {
            threadCpu[i] = now[i] - threadCpu[i];
        }
        gcMillis = gcMillis() - gcMillis;
        compilerNs = compilerSince(compilerNs);
    }

    private static Long compilerSince(Long start) {
        Long end = CompilerCpu.readNs();
        return start == null || end == null ? null : Long.valueOf(Math.max(0, end - start));
    }

    /** Appends the threads that were started inside the clocks; call after {@link #stop}. */
    void addStartedSince(List<Thread> threads) {
        threadCpu = LongStream.concat(
                        Arrays.stream(threadCpu),
                        Arrays.stream(THREADS.getThreadCpuTime(ids(threads))))
                .toArray();
    }

    private static long gcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    long wallNs() {
        return wallNs;
    }

    ProcessCpu cpu() {
        return cpu;
    }

    long gcNs() {
        return gcMillis * 1_000_000;
    }

    /** Returns the compilers' CPU time; null where the kernel does not report it. */
    Long compilerNs() {
        return compilerNs;
    }

    /** Returns the CPU time of the {@code i}-th thread, in nanoseconds. */
    long threadCpuNs(int i) {
        return threadCpu[i];
    }
}
