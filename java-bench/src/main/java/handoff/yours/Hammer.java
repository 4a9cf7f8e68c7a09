package handoff.yours;

import handoff.mechanism.Exchange;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Stress-tests an {@link Exchange}: every item once and in order, no more items than its capacity,
 * waits that an interrupt ends. It may miss faults: it tries the interleavings that happen, where a
 * model checker tries those that can.
 */
public final class Hammer {
    private static final int ITEMS = 200_000;
    private static final int[] CAPACITIES = {2, 16, 1024};
    private static final Duration STILL = Duration.ofMillis(300);
    private static final Duration MOVES = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final IntFunction<Exchange<Integer>> maker;

    private final ExecutorService threads = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        return thread;
    });

    private Hammer(IntFunction<Exchange<Integer>> maker) {
        this.maker = maker;
    }

    /** Returns a fault, in one sentence; null when none was found. */
    public static String find(IntFunction<Exchange<Integer>> maker) {
        Hammer hammer = new Hammer(maker);
        try {
            for (int capacity : CAPACITIES) {
                String wrong = hammer.tryCapacity(capacity);
                if (wrong != null) {
                    return "With a capacity of " + capacity + ", " + wrong + ".";
                }
            }
            return null;
        } catch (InterruptedException | ExecutionException broken) {
            return "It threw " + (broken.getCause() == null ? broken : broken.getCause()) + ".";
        } catch (RuntimeException | Error broken) {
            // Whatever the tested class throws is a fault.
            return "It threw " + broken;
        }
    }

    private String tryCapacity(int capacity) throws InterruptedException, ExecutionException {
        Exchange<Integer> full = maker.apply(capacity);
        Exchange<Integer> empty = maker.apply(capacity);
        String wrong = holdsNoMore(capacity);
        wrong = wrong == null ? endsByInterrupt(() -> fill(full, capacity + 1), "put") : wrong;
        wrong = wrong == null ? endsByInterrupt(empty::take, "take") : wrong;
        return wrong == null ? keepsOrder(capacity) : wrong;
    }

    private String holdsNoMore(int capacity) throws InterruptedException, ExecutionException {
        Exchange<Integer> exchange = maker.apply(capacity);
        if (!ends(threads.submit(() -> fill(exchange, capacity)), MOVES)) {
            return "it has no room for " + capacity + " items";
        }
        Future<?> beyond = threads.submit(() -> fill(exchange, 1));
        if (ends(beyond, STILL)) {
            return "it takes more than " + capacity + " items";
        }
        exchange.take();
        return ends(beyond, MOVES) ? null : "a put does not continue when there is room again";
    }

    private String endsByInterrupt(Callable<?> waiting, String what) throws InterruptedException {
        boolean[] ended = {false};
        Thread thread = new Thread(() -> {
            try {
                waiting.call();
            } catch (InterruptedException interrupted) {
                ended[0] = true;
            } catch (Exception other) {
                ended[0] = false;
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(STILL.toMillis());
        boolean waited = thread.isAlive();
        thread.interrupt();
        thread.join(MOVES.toMillis());
        if (!waited) {
            return "a " + what + " that must wait does not";
        }
        return ended[0] ? null : "an interrupt does not end a " + what + " that waits";
    }

    private String keepsOrder(int capacity) throws InterruptedException, ExecutionException {
        Exchange<Integer> exchange = maker.apply(capacity);
        Future<?> producer = threads.submit(() -> fill(exchange, ITEMS));
        int[] taken = {0};
        Future<String> consumer = threads.submit(() -> takeAll(exchange, taken));
        int before = -1;
        while (!ends(consumer, LONGEST)) {
            if (taken[0] == before) {
                return "it stood still after " + before + " of " + ITEMS + " items";
            }
            before = taken[0];
        }
        String wrong = consumer.get();
        return wrong == null && !ends(producer, MOVES) ? "the producer never ended" : wrong;
    }

    private static String takeAll(Exchange<Integer> exchange, int[] taken)
            throws InterruptedException {
        for (int i = 0; i < ITEMS; i++) {
            Integer item = exchange.take();
            if (item == null || item != i) {
                return "expected item " + i + ", got " + item;
            }
            taken[0] = i;
        }
        return null;
    }

    private static Object fill(Exchange<Integer> exchange, int items) throws InterruptedException {
        for (int i = 0; i < items; i++) {
            exchange.put(i);
        }
        return null;
    }

    private static boolean ends(Future<?> body, Duration limit)
            throws InterruptedException, ExecutionException {
        try {
            body.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        }
    }
}
