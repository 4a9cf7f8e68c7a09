package handoff.measure;

import handoff.machine.Pin;
import handoff.machine.Plan;
import handoff.machine.ThreadState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The threads of one shot. The producer is pinned by creating the team; every other thread pins
 * itself as its first act, because it inherits the mask of the thread that started it. A thread's
 * body calls {@link #ready} when it waits for its first event.
 */
public final class ThreadTeam implements ThreadFactory {
    /** A pinned thread; {@code mask} was read back from the kernel. */
    public record Member(Plan.Slot slot, String mask, Thread thread, int tid) {
        private static Member pinned(Plan.Slot slot, Thread thread) {
            String mask = Pin.to(slot);
            return new Member(slot, mask, thread, ThreadState.ofCaller().tid());
        }
    }

    private final Plan plan;
    private final Duration timeout;
    private final Member producer;
    private final AtomicInteger next = new AtomicInteger(1);
    private final CountDownLatch missing;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean shuttingDown;

    /**
     * @param timeout limit of each wait for the team: to be ready, and to end
     */
    public ThreadTeam(Plan plan, Duration timeout) {
        this.plan = plan;
        this.timeout = timeout;
        this.missing = new CountDownLatch(plan.threads().size() - 1);
        this.producer = Member.pinned(plan.threads().get(0), Thread.currentThread());
    }

    /** Creates a thread for the next role of the plan. */
    @Override
    public Thread newThread(Runnable body) {
        Plan.Slot slot = plan.threads().get(next.getAndIncrement());
        Thread thread = new Thread(() -> run(slot, body), slot.role());
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** What a thread does until it ends by itself or is interrupted. */
    public interface Body {
        void run() throws InterruptedException;
    }

    /** Starts a thread for the next role of the plan; it is ready before it runs its body. */
    public Thread start(Body body) {
        Thread thread = newThread(() -> {
            ready();
            try {
                body.run();
            } catch (InterruptedException shutDown) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    /** Registers the calling pool thread under the next role; {@link #shutDown} awaits its end. */
    public void register() {
        threads.add(Thread.currentThread());
        register(Thread.currentThread());
    }

    /**
     * Registers a {@code carrier} of virtual threads, on which the caller runs and which outlives
     * the shot.
     */
    public void register(Thread carrier) {
        members.add(Member.pinned(plan.threads().get(next.getAndIncrement()), carrier));
    }

    private void run(Plan.Slot slot, Runnable body) {
        try {
            members.add(Member.pinned(slot, Thread.currentThread()));
            body.run();
            stay();
        } catch (Throwable reason) {
            reportFailure(reason);
        }
    }

    /**
     * Keeps a finished thread alive, such as a second producer: its clocks are still to be read.
     */
    private void stay() {
        while (!shuttingDown) {
            LockSupport.park();
        }
    }

    public void ready() {
        missing.countDown();
    }

    /** Records the first failure of a thread, unless {@link #shutDown} has been called. */
    public void reportFailure(Throwable reason) {
        if (!shuttingDown) {
            failure.compareAndSet(null, reason);
        }
    }

    public Throwable failure() {
        return failure.get();
    }

    /**
     * @throws IllegalStateException when a thread failed, or the timeout ran out
     */
    public void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!missing.await(1, TimeUnit.MILLISECONDS)) {
            throwFailure();
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("%s of %s threads were not ready after %s s."
                        .formatted(
                                missing.getCount(),
                                plan.threads().size() - 1,
                                timeout.toSeconds()));
            }
        }
        throwFailure();
    }

    /**
     * @throws IllegalStateException with the first failure of a thread, if any
     */
    public void throwFailure() {
        if (failure.get() != null) {
            throw new IllegalStateException(
                    "A thread of the team failed: " + failure.get(), failure.get());
        }
    }

    /** Returns the threads pinned so far: the producer, then the others in the plan's order. */
    public List<Member> members() {
        return plan.threads().stream()
                .flatMap(slot -> slot.equals(producer.slot())
                        ? Stream.of(producer)
                        : members.stream().filter(member -> member.slot().equals(slot)))
                .toList();
    }

    /**
     * Ends every thread but the producer: {@code stop} stops the mechanism, interrupts wake waiting
     * threads.
     *
     * @throws IllegalStateException when a thread does not end
     */
    public void shutDown(Runnable stop) throws InterruptedException {
        shuttingDown = true;
        stop.run();
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join(timeout.toMillis());
            if (thread.isAlive()) {
                throw new IllegalStateException(
                        thread.getName() + " did not end within " + timeout.toSeconds() + " s.");
            }
        }
    }
}
