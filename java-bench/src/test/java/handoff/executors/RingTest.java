package handoff.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.mechanism.JctoolsExchange;
import handoff.mechanism.PolledExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every stage of the post's queue under stress: with one producer, each item comes out once, in
 * order.
 */
@Timeout(120)
class RingTest {
    private static final int ITEMS = 10_000;
    private static final int WORKERS = 3;

    /** The stages, as functions of the capacity. */
    enum Stage {
        MODULO(capacity -> new RingBuffer<>(capacity, Index.MODULO, Separation.NONE, Idle.YIELD)),
        MASK(capacity -> new RingBuffer<>(capacity, Index.MASK, Separation.NONE, Idle.YIELD)),
        PADDED(capacity -> new RingBuffer<>(capacity, Index.MASK, Separation.PADDED, Idle.YIELD)),
        SPMC(capacity -> new RingBufferSpmc<>(capacity, Idle.YIELD)),
        CACHED(capacity -> new RingBufferCached<>(capacity, Idle.YIELD)),
        JCTOOLS(capacity -> new JctoolsExchange<>(capacity, Idle.YIELD));

        private final IntFunction<PolledExchange<Integer>> opening;

        Stage(IntFunction<PolledExchange<Integer>> opening) {
            this.opening = opening;
        }

        PolledExchange<Integer> open(int capacity) {
            return opening.apply(capacity);
        }
    }

    static Stream<Stage> stagesOfThePost() {
        return Stream.of(Stage.values()).filter(stage -> stage != Stage.JCTOOLS);
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void oneProducersItemsComeOutOnceAndInOrder(Stage stage) throws InterruptedException {
        for (int capacity : new int[] {2, 16, 1024}) {
            assertEquals("", faults(stage.open(capacity)), stage + " with capacity " + capacity);
        }
    }

    /** Returns the faults between one producer and several workers, or an empty string. */
    private static String faults(PolledExchange<Integer> ring) throws InterruptedException {
        AtomicIntegerArray seen = new AtomicIntegerArray(ITEMS);
        List<String> disorder = new ArrayList<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(new Thread(() -> work(ring, seen, disorder)));
        }
        workers.forEach(Thread::start);
        for (int item = 0; item < ITEMS; item++) {
            ring.put(item);
        }
        for (int i = 0; i < WORKERS; i++) {
            ring.put(ITEMS);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        for (int item = 0; item < ITEMS; item++) {
            if (seen.get(item) != 1) {
                return item + " came " + seen.get(item) + " times";
            }
        }
        return String.join(", ", disorder);
    }

    private static void work(
            PolledExchange<Integer> ring, AtomicIntegerArray seen, List<String> disorder) {
        try {
            int before = -1;
            for (int item = ring.take(); item < ITEMS; item = ring.take()) {
                seen.incrementAndGet(item);
                if (item <= before) {
                    synchronized (disorder) {
                        disorder.add(item + " after " + before);
                    }
                }
                before = item;
            }
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
    }

    /** One place always stays free, as in the post. */
    @ParameterizedTest
    @MethodSource("stagesOfThePost")
    void aRingHoldsOneLessThanItsCapacity(Stage stage) {
        PolledExchange<Integer> ring = stage.open(4);
        for (int round = 0; round < 5; round++) {
            assertNull(ring.poll());
            for (int item = 0; item < 3; item++) {
                assertTrue(ring.offer(item));
            }
            assertFalse(ring.offer(3));
            for (int item = 0; item < 3; item++) {
                assertEquals(item, ring.poll());
            }
        }
    }

    @Test
    void anInterruptEndsAWaitingThread() throws InterruptedException {
        for (Idle idle : Idle.values()) {
            Thread worker = new Thread(() -> {
                try {
                    new RingBufferSpmc<Integer>(16, idle).take();
                } catch (InterruptedException expected) {
                    Thread.currentThread().interrupt();
                }
            });
            worker.start();
            assertNotEquals(Thread.State.TERMINATED, worker.getState());
            worker.interrupt();
            worker.join(10_000);
            assertEquals(Thread.State.TERMINATED, worker.getState());
        }
    }
}
