package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import handoff.machine.PerfCounter.Event;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PerfCounterTest {
    /** The kernel's own event is read like the hardware's, and is available on more machines. */
    private static final Event PAGE_FAULTS = new Event(1, 2);

    @Test
    void aCounterCounts() {
        Optional<PerfCounter> opened =
                PerfCounter.open(PAGE_FAULTS, ThreadState.ofCaller().tid());
        assumeTrue(opened.isPresent(), "this kernel does not permit counting");
        try (PerfCounter faults = opened.get()) {
            double before = faults.read().orElseThrow();
            ByteBuffer touched = ByteBuffer.allocateDirect(8 << 20);
            assertTrue(touched.get(touched.capacity() - 1) == 0);
            assertTrue(
                    faults.read().orElseThrow() >= before + 100, "two thousand pages were touched");
        }
    }

    /** The state of a worker that sleeps until the first message. */
    @Test
    void aThreadThatHasNotRunCountsZero() throws InterruptedException {
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        int[] tid = new int[1];
        Thread sleeper = new Thread(() -> {
            tid[0] = ThreadState.ofCaller().tid();
            known.countDown();
            try {
                go.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        sleeper.start();
        known.await();
        Thread.sleep(50);
        Optional<PerfCounter> opened = PerfCounter.open(PAGE_FAULTS, tid[0]);
        assumeTrue(opened.isPresent(), "this kernel does not permit counting");
        assertEquals(Optional.of(0.0), opened.get().read());
        go.countDown();
        sleeper.join();
        opened.get().close();
    }

    @Test
    void anUnavailableCounterIsNotAnError() {
        assertTrue(PerfCounter.open(PAGE_FAULTS, Integer.MAX_VALUE).isEmpty());
        PerfCounter.open(Event.CACHE_MISSES, ThreadState.ofCaller().tid())
                .ifPresent(PerfCounter::close);
    }

    @Test
    void anEventIsReadFromText() {
        assertEquals(new Event(4, 0x4d3), Event.parse("4:0x4d3"));
        String message = assertThrows(IllegalArgumentException.class, () -> Event.parse("r4d3"))
                .getMessage();
        assertEquals("expected an event such as 4:0x4d3, got r4d3", message);
    }
}
