package handoff.mechanism;

import java.util.function.Supplier;

/**
 * How a consumer of the Disruptor waits for the next event, in both releases. The producer has no
 * such choice: while the ring is full, it parks for a nanosecond at a time under every strategy, or
 * yields in release 3.2.0.
 */
public enum Wait {
    YIELDING(disruptor3.YieldingWaitStrategy::new, com.lmax.disruptor.YieldingWaitStrategy::new),
    BUSY_SPIN(disruptor3.BusySpinWaitStrategy::new, com.lmax.disruptor.BusySpinWaitStrategy::new),
    SLEEPING(disruptor3.SleepingWaitStrategy::new, com.lmax.disruptor.SleepingWaitStrategy::new),
    BLOCKING(disruptor3.BlockingWaitStrategy::new, com.lmax.disruptor.BlockingWaitStrategy::new);

    private final Supplier<disruptor3.WaitStrategy> release3;
    private final Supplier<com.lmax.disruptor.WaitStrategy> release4;

    Wait(
            Supplier<disruptor3.WaitStrategy> release3,
            Supplier<com.lmax.disruptor.WaitStrategy> release4) {
        this.release3 = release3;
        this.release4 = release4;
    }

    public disruptor3.WaitStrategy release3() {
        return release3.get();
    }

    com.lmax.disruptor.WaitStrategy release4() {
        return release4.get();
    }
}
