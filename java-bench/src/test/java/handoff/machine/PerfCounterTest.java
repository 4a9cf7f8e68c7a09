package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import handoff.machine.PerfCounter.Event;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PerfCounterTest {
    /** The kernel's own counter goes the same way as the hardware's, and is there on more machines. */
    @Test
    void aCounterCounts() {
        Optional<PerfCounter> opened = PerfCounter.open(Event.PAGE_FAULTS, ThreadState.ofCaller().tid());
        assumeTrue(opened.isPresent(), "the kernel lets nobody count here");
        try (PerfCounter faults = opened.get()) {
            double before = faults.read().orElseThrow();
            ByteBuffer touched = ByteBuffer.allocateDirect(8 << 20);
            assertTrue(touched.get(touched.capacity() - 1) == 0);
            assertTrue(faults.read().orElseThrow() >= before + 100, "two thousand pages were touched");
        }
    }

    @Test
    void whatIsNotOfferedIsNoError() {
        assertTrue(PerfCounter.open(Event.PAGE_FAULTS, Integer.MAX_VALUE).isEmpty());
        PerfCounter.open(Event.CACHE_MISSES, ThreadState.ofCaller().tid()).ifPresent(PerfCounter::close);
    }
}
