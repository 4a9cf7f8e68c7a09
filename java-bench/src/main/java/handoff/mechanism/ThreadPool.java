package handoff.mechanism;

import handoff.measure.Crew;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** What {@code Executors.newFixedThreadPool} makes, of the crew's threads; start them with {@link #prestartAllCoreThreads}. */
public final class ThreadPool extends ThreadPoolExecutor {
    private final Crew crew;

    /** @param started called on each of the pool's threads with its number, from 0 */
    public ThreadPool(Crew crew, int threads, IntConsumer started) {
        this(crew, threads, started, new AtomicInteger());
    }

    private ThreadPool(Crew crew, int threads, IntConsumer started, AtomicInteger next) {
        super(threads, threads, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), body -> crew.newThread(() -> {
            started.accept(next.getAndIncrement());
            crew.ready();
            body.run();
        }));
        this.crew = crew;
    }

    /** A task that fails would silently cost the pool a thread; the crew remembers. */
    @Override
    protected void afterExecute(Runnable task, Throwable reason) {
        if (reason != null) {
            crew.failed(reason);
        }
    }
}
