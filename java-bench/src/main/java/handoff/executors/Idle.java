package handoff.executors;

import java.util.concurrent.locks.LockSupport;

/** What a thread does between two looks at a ring that is full or empty. Nobody wakes it. */
public enum Idle {
    /** As published: asks to sleep for a nanosecond; how long that takes is the kernel's affair. */
    PARK {
        @Override
        void rest() {
            LockSupport.parkNanos(1);
        }
    },
    YIELD {
        @Override
        void rest() {
            Thread.yield();
        }
    },
    SPIN {
        @Override
        void rest() {
            Thread.onSpinWait();
        }
    };

    abstract void rest();
}
