package handoff.ring;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.ThreadPool;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * The post's "BadParallelPi": two Monte-Carlo tasks on a pool of one thread, or of two. An event is
 * one dart.
 */
final class PiTasks implements RingHandoff {
    static final int TASKS = 2;

    /** Darts thrown between two updates of the tally. */
    private static final int PART = 10_000;

    private final ThreadPool pool;
    private final IntFunction<Random> generator;
    private final List<Tally> tallies;
    private final long darts;
    private final CountDownLatch done = new CountDownLatch(TASKS);
    private final long[] hits = new long[TASKS];

    PiTasks(RingSetup setup) {
        generator = setup.generator().open(TASKS);
        tallies = setup.tallies();
        darts = setup.events() / TASKS;
        pool = new ThreadPool(setup.team(), setup.threads(), thread -> {});
        pool.prestartAllCoreThreads();
    }

    @Override
    public CountDownLatch done() {
        return done;
    }

    @Override
    public void publish(long events) {
        for (int i = 0; i < TASKS; i++) {
            int task = i;
            pool.execute(() -> run(task));
        }
    }

    private void run(int task) {
        Random random = generator.apply(task);
        long taskHits = 0;
        for (long thrown = 0; thrown < darts; thrown += PART) {
            int part = (int) Math.min(PART, darts - thrown);
            taskHits += MonteCarlo.hits(part, random);
            tallies.get(task).addAll(part, RingWorkload.mark(task, thrown));
        }
        hits[task] = taskHits;
        done.countDown();
    }

    /** Checks that both tasks found pi. */
    @Override
    public void verify() {
        LongStream.of(hits).forEach(taskHits -> MonteCarlo.verify(taskHits, darts));
    }

    static Expected expected(long events) {
        List<Long> sums = LongStream.range(0, TASKS)
                .mapToObj(task -> {
                    long sum = 0;
                    for (long thrown = 0; thrown < events / TASKS; thrown += PART) {
                        sum += RingWorkload.mark((int) task, thrown);
                    }
                    return sum;
                })
                .toList();
        return Expected.each(events / TASKS, sums);
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }
}
