package handoff.executors;

import handoff.mechanism.IdleStrategy;
import java.util.concurrent.locks.LockSupport;

/** What a thread does between two attempts at a ring that is full or empty. */
public enum Idle implements IdleStrategy {
    /** As published: sleeps for at least a nanosecond; the kernel decides how long. */
    PARK {
        @Override
        public void idle(int attempt) {
            LockSupport.parkNanos(1);
        }
    },
    YIELD {
        @Override
        public void idle(int attempt) {
            Thread.yield();
        }
    },
    SPIN {
        @Override
        public void idle(int attempt) {
            Thread.onSpinWait();
        }
    }
}
