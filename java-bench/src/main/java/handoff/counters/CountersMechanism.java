package handoff.counters;

import handoff.mechanism.Mechanism;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All ways to increment. Only the last two are correct with two threads, and only these were
 * published with two.
 */
public enum CountersMechanism implements Mechanism {
    PLAIN(Uses.ONE_THREAD) {
        @Override
        void increment(Cell cell, long times) {
            for (long i = 0; i < times; i++) {
                cell.plain();
            }
        }
    },
    VOLATILE(Uses.ONE_THREAD) {
        @Override
        void increment(Cell cell, long times) {
            for (long i = 0; i < times; i++) {
                cell.volatileWrite();
            }
        }
    },
    CAS(Uses.THREADS) {
        @Override
        void increment(Cell cell, long times) {
            for (long i = 0; i < times; i++) {
                cell.compareAndSet();
            }
        }
    },
    LOCK(Uses.THREADS) {
        private final Lock lock = new ReentrantLock();

        @Override
        void increment(Cell cell, long times) {
            for (long i = 0; i < times; i++) {
                lock.lock();
                try {
                    cell.plain();
                } finally {
                    lock.unlock();
                }
            }
        }
    };

    private final List<String> parameters;

    CountersMechanism(List<String> parameters) {
        this.parameters = parameters;
    }

    /** Increments the cell on the calling thread. */
    abstract void increment(Cell cell, long times);

    @Override
    public List<String> parameters() {
        return parameters;
    }

    /** The parameters of groups of mechanisms. */
    private static final class Uses {
        static final List<String> ONE_THREAD =
                List.of("events", "placement", "collector", "memory");
        static final List<String> THREADS =
                List.of("threads", "events", "placement", "collector", "memory");
    }
}
