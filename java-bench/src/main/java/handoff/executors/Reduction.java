package handoff.executors;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * How the results of the tasks become one sum. A mechanism with a collector has no such choice.
 */
public enum Reduction {
    /**
     * As published: a boxed sum, replaced by compare-and-set, and a counter of finished tasks, both
     * shared by all workers.
     */
    CAS {
        @Override
        Shared shared() {
            return new Compared();
        }
    },
    /** A sum whose number of cells grows with contention. */
    ADDER {
        @Override
        Shared shared() {
            return new Added();
        }
    },
    /** One sum per worker; nothing is shared. */
    PER_WORKER {
        @Override
        Shared shared() {
            return null;
        }
    };

    /** A sum that all workers add to. */
    abstract static class Shared {
        abstract void add(double result);

        abstract double total();
    }

    /** Returns a new sum, or null where nothing is shared. */
    abstract Shared shared();

    private static final class Compared extends Shared {
        private final AtomicReference<Double> sum = new AtomicReference<>(0.0);

        /** Costs what the countdown of the post costs; the shot ends by its tallies. */
        private final AtomicInteger finished = new AtomicInteger();

        @Override
        void add(double result) {
            Double before;
            do {
                before = sum.get();
            } while (!sum.compareAndSet(before, before + result));
            finished.incrementAndGet();
        }

        @Override
        double total() {
            return sum.get();
        }
    }

    private static final class Added extends Shared {
        private final DoubleAdder sum = new DoubleAdder();

        @Override
        void add(double result) {
            sum.add(result);
        }

        @Override
        double total() {
            return sum.sum();
        }
    }
}
