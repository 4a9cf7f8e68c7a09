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
 * One producer, three consumers in a row, each working on the result of the one before.
 *
 * <pre>
 *   P ── a, b ──▶ C1 ── a + b ──▶ C2 ── + 3 ──▶ C3
 *
 *   P   a counts up from 0, b down from 777: a + b stays 777
 *   C3  counts the results with bit 2 set: all
 * </pre>
 *
 * Between the stages: queues, or one ring on which each stage follows the one before. C1 also adds
 * up a, so that its checksum distinguishes the events; C2 and C3 see the same value for every
 * event, so their counts alone prove that none is lost.
 */
final class Pipeline {
    private static final long TOGETHER = 777;
    private static final long MORE = 3;
    private static final long BIT = 4;

    private Pipeline() {}

    static Expected expected(long events) {
        return Expected.each(
                events,
                List.of(
                        events * TOGETHER + Expected.sum(events),
                        events * (TOGETHER + MORE),
                        events));
    }

    /** The message. */
    static final class Operands {
        long a;
        long b;
        long first;
        long second;
    }

    /** One class for all stages, as in the original, so that a handler's call has one target. */
    private static final class Stage extends TalliedHandler<Operands> {
        Stage(WiringSetup setup, int place) {
            super(setup, place);
        }

        @Override
        public void onEvent(Operands event, long sequence, boolean endOfBatch) {
            switch (place) {
                case 0 -> tally.add(event.a + (event.first = event.a + event.b), endOfBatch);
                case 1 -> tally.add(event.second = event.first + MORE, endOfBatch);
                default -> tally.add((event.second & BIT) == BIT ? 1 : 0, endOfBatch);
            }
        }
    }

    /** Queues of boxed numbers; the first one's messages are pairs. */
    static final class Boxed implements Handoff {
        private final BlockingQueue<long[]> first;

        Boxed(WiringSetup setup) {
            first = setup.queue();
            BlockingQueue<Long> second = setup.queue();
            BlockingQueue<Long> third = setup.queue();
            Tally sums = setup.tally(0);
            Tally more = setup.tally(1);
            Tally bits = setup.tally(2);
            ConsumerLoop.start(setup.team(), () -> {
                long[] operands = first.take();
                long sum = operands[0] + operands[1];
                sums.addVolatile(operands[0] + sum);
                second.put(sum);
            });
            ConsumerLoop.start(setup.team(), () -> {
                long result = second.take() + MORE;
                more.addVolatile(result);
                third.put(result);
            });
            ConsumerLoop.start(
                    setup.team(), () -> bits.addVolatile((third.take() & BIT) == BIT ? 1 : 0));
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                first.put(new long[] {i, TOGETHER - i});
            }
        }
    }

    /** Queues of reused messages. */
    static final class Reused implements Handoff {
        private final BlockingQueue<Operands> first;
        private final MessagePool<Operands> pool;

        Reused(WiringSetup setup) {
            first = setup.queue();
            pool = new MessagePool<>(Operands::new, 3 * setup.capacity());
            BlockingQueue<Operands> second = setup.queue();
            BlockingQueue<Operands> third = setup.queue();
            Stage sums = new Stage(setup, 0);
            Stage more = new Stage(setup, 1);
            ConsumerLoop.start(setup.team(), () -> second.put(done(first.take(), sums)));
            ConsumerLoop.start(setup.team(), () -> third.put(done(second.take(), more)));
            Stage last = new Stage(setup, 2);
            ConsumerLoop.start(setup.team(), () -> last.accept(third.take()));
        }

        private static Operands done(Operands event, Stage stage) {
            stage.accept(event);
            return event;
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                Operands event = pool.next();
                event.a = i;
                event.b = TOGETHER - i;
                first.put(event);
            }
        }
    }

    /** One ring, one handler per stage. */
    static Handoff onRing(WiringSetup setup) {
        DisruptorRing<Operands> ring = setup.ring(
                Operands::new,
                1,
                List.of(
                        List.of(new Stage(setup, 0)),
                        List.of(new Stage(setup, 1)),
                        List.of(new Stage(setup, 2))));
        return new FilledRing<>(ring, (event, i) -> {
            event.a = i;
            event.b = TOGETHER - i;
        });
    }
}
