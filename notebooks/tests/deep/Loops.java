import disruptor3.YieldingWaitStrategy;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import net.openhft.affinity.Affinity;

/** What scaling does with one consumer and one sort, by hand: {@code Loops MECHANISM FIRST SECOND EVENTS SHOTS}. */
final class Loops {
    private static long sum;

    private static final class Event {
        long value;
    }

    private static Event newEvent(long value) {
        Event event = new Event();
        event.value = value;
        return event;
    }

    private static void consume(Event event) {
        int[] numbers = new int[100];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        Arrays.sort(numbers);
        sum += event.value + numbers[(int) event.value & 63];
    }

    private static void handOver(String mechanism, int events, ThreadFactory threads) throws Exception {
        if (mechanism.equals("SEQUENTIAL")) {
            for (int i = 0; i < events; i++) consume(newEvent(i));
        } else if (mechanism.equals("ARRAY_BLOCKING_QUEUE")) {
            var queue = new ArrayBlockingQueue<Event>(8192);
            var consumer = new FutureTask<Void>(() -> {
                for (int i = 0; i < events; i++) consume(queue.take());
                return null;
            });
            threads.newThread(consumer).start();
            for (int i = 0; i < events; i++) queue.put(newEvent(i));
            consumer.get();
        } else {
            var done = new CountDownLatch(1);
            var ring = new Disruptor<>(Event::new, 8192, threads, ProducerType.SINGLE, new YieldingWaitStrategy());
            ring.handleEventsWithWorkerPool(event -> {
                consume(event);
                if (event.value == events - 1) done.countDown();
            });
            ring.start();
            for (int i = 0; i < events; i++) ring.publishEvent((event, sequence) -> event.value = sequence);
            done.await();
            ring.halt();
        }
    }

    public static void main(String[] words) throws Exception {
        int[] numbers = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
        ThreadFactory threads = body -> new Thread(() -> {
            Affinity.setAffinity(numbers[1]);
            body.run();
        });
        Affinity.setAffinity(numbers[0]);
        for (int shot = 0; shot < numbers[3]; shot++) {
            long start = System.nanoTime();
            handOver(words[0], numbers[2], threads);
            System.out.println((double) (System.nanoTime() - start) / numbers[2]);
        }
    }
}
