package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.DisruptorRing;
import handoff.mechanism.FilledRing;
import handoff.mechanism.Handoff;
import handoff.mechanism.MessagePool;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * One producer, two consumers side by side, and a third that waits for both.
 *
 * <pre>
 *              ┌──▶ C1: i % 3 = 0? ──┐
 *   P ── i ────┤                     ├──▶ C3      P   counts i up from 0
 *              └──▶ C2: i % 5 = 0? ──┘            C3  counts where both hold
 * </pre>
 *
 * With queues: four, one per arrow. With a ring: C1 and C2 on it, and C3 after both.
 */
final class Diamond {
    private static final int THREE = 3;
    private static final int FIVE = 5;

    private Diamond() {}

    static Expected expected(long events) {
        return Expected.each(
                events,
                List.of(
                        multiples(events, THREE),
                        multiples(events, FIVE),
                        multiples(events, THREE * FIVE)));
    }

    /** Returns how many numbers from 0 to {@code events} - 1 are multiples of {@code divisor}. */
    private static long multiples(long events, int divisor) {
        return (events + divisor - 1) / divisor;
    }

    /** The message. */
    static final class Candidate {
        long i;
        boolean byThree;
        boolean byFive;
    }

    /** One class for all three, as in the original, so that a handler's call has one target. */
    private static final class Corner extends TalliedHandler<Candidate> {
        Corner(WiringSetup setup, int place) {
            super(setup, place);
        }

        @Override
        public void onEvent(Candidate event, long sequence, boolean endOfBatch) {
            switch (place) {
                case 0 -> tally.add((event.byThree = event.i % THREE == 0) ? 1 : 0, endOfBatch);
                case 1 -> tally.add((event.byFive = event.i % FIVE == 0) ? 1 : 0, endOfBatch);
                default -> tally.add(event.byThree && event.byFive ? 1 : 0, endOfBatch);
            }
        }
    }

    /** Queues of boxed values. */
    static final class Boxed implements Handoff {
        private final BlockingQueue<Long> left;
        private final BlockingQueue<Long> right;

        Boxed(WiringSetup setup) {
            left = setup.queue();
            right = setup.queue();
            BlockingQueue<Boolean> byThree = setup.queue();
            BlockingQueue<Boolean> byFive = setup.queue();
            Tally threes = setup.tally(0);
            Tally fives = setup.tally(1);
            Tally boths = setup.tally(2);
            ConsumerLoop.start(
                    setup.team(), () -> byThree.put(counted(left.take() % THREE == 0, threes)));
            ConsumerLoop.start(
                    setup.team(), () -> byFive.put(counted(right.take() % FIVE == 0, fives)));
            ConsumerLoop.start(setup.team(), () -> {
                boolean both = byThree.take();
                both &= byFive.take();
                counted(both, boths);
            });
        }

        private static boolean counted(boolean result, Tally tally) {
            tally.addVolatile(result ? 1 : 0);
            return result;
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                Long boxed = i;
                left.put(boxed);
                right.put(boxed);
            }
        }
    }

    /** Queues of reused messages; both sides hold the same ones. */
    static final class Reused implements Handoff {
        private final BlockingQueue<Candidate> left;
        private final BlockingQueue<Candidate> right;
        private final MessagePool<Candidate> pool;

        Reused(WiringSetup setup) {
            left = setup.queue();
            right = setup.queue();
            pool = new MessagePool<>(Candidate::new, 2 * setup.capacity());
            BlockingQueue<Candidate> byThree = setup.queue();
            BlockingQueue<Candidate> byFive = setup.queue();
            Corner third = new Corner(setup, 2);
            Corner first = new Corner(setup, 0);
            Corner second = new Corner(setup, 1);
            ConsumerLoop.start(setup.team(), () -> byThree.put(done(left.take(), first)));
            ConsumerLoop.start(setup.team(), () -> byFive.put(done(right.take(), second)));
            ConsumerLoop.start(setup.team(), () -> {
                byThree.take();
                third.accept(byFive.take());
            });
        }

        private static Candidate done(Candidate event, Corner corner) {
            corner.accept(event);
            return event;
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                Candidate candidate = pool.next();
                candidate.i = i;
                left.put(candidate);
                right.put(candidate);
            }
        }
    }

    /** One ring; the third handler follows both others. */
    static Handoff onRing(WiringSetup setup) {
        DisruptorRing<Candidate> ring = setup.ring(
                Candidate::new,
                1,
                List.of(
                        List.of(new Corner(setup, 0), new Corner(setup, 1)),
                        List.of(new Corner(setup, 2))));
        return new FilledRing<>(ring, (candidate, i) -> candidate.i = i);
    }
}
