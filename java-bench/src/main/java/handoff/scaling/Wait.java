package handoff.scaling;

import disruptor3.BlockingWaitStrategy;
import disruptor3.BusySpinWaitStrategy;
import disruptor3.SleepingWaitStrategy;
import disruptor3.WaitStrategy;
import disruptor3.YieldingWaitStrategy;
import java.util.function.Supplier;

/**
 * How a Disruptor's consumer waits for the next event. The producer has no such choice: when the ring is
 * full, release 3 parks it for a nanosecond at a time, whatever the strategy.
 */
public enum Wait {
    YIELDING(YieldingWaitStrategy::new),
    BUSY_SPIN(BusySpinWaitStrategy::new),
    SLEEPING(SleepingWaitStrategy::new),
    BLOCKING(BlockingWaitStrategy::new);

    private final Supplier<WaitStrategy> strategy;

    Wait(Supplier<WaitStrategy> strategy) {
        this.strategy = strategy;
    }

    WaitStrategy strategy() {
        return strategy.get();
    }
}
