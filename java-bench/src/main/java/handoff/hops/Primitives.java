package handoff.hops;

import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import handoff.mechanism.Handoff;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * One shot: the first thread repeats each primitive; only waking and being woken involve the
 * second.
 *
 * <pre>
 *   thread 1 ── unpark ──▶ thread 2     each parks until the other wakes it: the round trip,
 *            ◀── unpark ──              and what the first unpark costs its caller
 * </pre>
 */
final class Primitives implements Handoff {
    static final List<String> MEASURES = List.of(
            "cas_ns",
            "volatile_store_ns",
            "lock_ns",
            "sort_ns",
            "yield_ns",
            "park_1ns_ns",
            "park_1ns_cpu_ns",
            "park_unpark_ns",
            "unpark_ns");

    /** Factor by which primitives that involve the kernel run less often. */
    private static final int SLOWER = 500;

    private static final int SORTED = 100;
    private static final VarHandle NUMBER = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "number", VarHandle.class, Primitives.class, long.class);

    private final Tally tally;
    private final Thread caller = Thread.currentThread();
    private final Thread other;
    private final CountDownLatch start = new CountDownLatch(1);
    private final Lock lock = new ReentrantLock();
    private final Map<String, Double> nanos = new TreeMap<>();
    private volatile long turn;
    private long slow;
    private long number;

    /**
     * @param tallies one per thread, the caller's first
     */
    Primitives(List<Tally> tallies, ThreadTeam team) {
        tally = tallies.get(0);
        other = team.start(this::serve);
    }

    private void serve() throws InterruptedException {
        start.await();
        for (long i = 0; i < slow; i++) {
            park(2 * i + 1);
            turn = 2 * i + 2;
            LockSupport.unpark(caller);
        }
    }

    private void park(long until) throws InterruptedException {
        while (turn < until) {
            LockSupport.park();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        slow = Math.max(1, events / SLOWER);
        time("cas_ns", events, this::compareAndSet);
        time("volatile_store_ns", events, this::store);
        time("lock_ns", events, this::lock);
        int[] sorted = IntStream.range(0, SORTED).toArray();
        time("sort_ns", events / 10, times -> {
            for (long i = 0; i < times; i++) {
                Arrays.sort(sorted);
            }
        });
        time("yield_ns", slow, times -> {
            for (long i = 0; i < times; i++) {
                Thread.yield();
            }
        });
        parkOneNanosecond();
        wakeEachOther();
        tally.addAll(events, number);
    }

    /** A loop over a primitive. */
    private interface Loop {
        void run(long times);
    }

    private void time(String name, long times, Loop loop) {
        long startNs = System.nanoTime();
        loop.run(times);
        nanos.put(name, (double) (System.nanoTime() - startNs) / Math.max(1, times));
    }

    private void compareAndSet(long times) {
        for (long i = 0; i < times; i++) {
            long seen = (long) NUMBER.getVolatile(this);
            NUMBER.compareAndSet(this, seen, seen + 1);
        }
    }

    private void store(long times) {
        for (long i = 0; i < times; i++) {
            NUMBER.setVolatile(this, (long) NUMBER.getOpaque(this) + 1);
        }
    }

    private void lock(long times) {
        for (long i = 0; i < times; i++) {
            lock.lock();
            try {
                NUMBER.setOpaque(this, (long) NUMBER.getOpaque(this) + 1);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Times the shortest park, which the executors' ring uses: wall time, and CPU time. */
    private void parkOneNanosecond() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        time("park_1ns_ns", slow, times -> {
            for (long i = 0; i < times; i++) {
                LockSupport.parkNanos(1);
            }
        });
        nanos.put("park_1ns_cpu_ns", (double) (threads.getCurrentThreadCpuTime() - before) / slow);
    }

    private void wakeEachOther() throws InterruptedException {
        start.countDown();
        long waking = 0;
        long startNs = System.nanoTime();
        for (long i = 0; i < slow; i++) {
            turn = 2 * i + 1;
            long before = System.nanoTime();
            LockSupport.unpark(other);
            waking += System.nanoTime() - before;
            park(2 * i + 2);
        }
        nanos.put("park_unpark_ns", (double) (System.nanoTime() - startNs) / slow);
        nanos.put("unpark_ns", (double) waking / slow);
    }

    static Expected expected(long events) {
        return new Expected(List.of(events, 0L), List.of(3 * events, 0L));
    }

    Findings findings() {
        return new Findings(nanos, null, null);
    }
}
