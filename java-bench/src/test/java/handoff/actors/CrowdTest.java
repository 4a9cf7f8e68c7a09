package handoff.actors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CrowdTest {
    /** A crowd of actors that records the turns and the last thread of each. */
    private static final class Crowd {
        private static final int ACTORS = 12;
        private static final int TURNS = 20_000;

        private final long[] turns = new long[ACTORS];
        private final Thread[] threads = new Thread[ACTORS];
        private final CountDownLatch started = new CountDownLatch(ACTORS);
        private final CountDownLatch done = new CountDownLatch(ACTORS);
        private final List<Address<Integer>> addresses = new ArrayList<>();

        /** Creates all actors on one worker. */
        Crowd(SoftAffinity soft) {
            for (int i = 0; i < ACTORS; i++) {
                int actor = i;
                addresses.add(soft.actor(0, turn -> take(actor, turn)));
            }
        }

        private void take(int actor, int turn) {
            turns[actor]++;
            threads[actor] = Thread.currentThread();
            busy();
            (turn == 1 ? started : turn == TURNS ? done : new CountDownLatch(1)).countDown();
            if (turn < TURNS) {
                addresses.get(actor).send(turn + 1);
            }
        }
    }

    /**
     * All actors send themselves message after message: each gets its turns, and idle workers help.
     */
    @Test
    void noActorStarvesAndIdleWorkersHelp() throws InterruptedException {
        SoftAffinity soft = new SoftAffinity(3, TimeSlice::new, Thread::new, worker -> {});
        Crowd crowd = new Crowd(soft);
        crowd.addresses.forEach(address -> address.send(1));
        assertTrue(crowd.started.await(30, TimeUnit.SECONDS), "an actor had no first turn");
        assertTrue(crowd.done.await(60, TimeUnit.SECONDS), "an actor did not finish");
        for (long turns : crowd.turns) {
            assertEquals(Crowd.TURNS, turns);
        }
        assertTrue(
                List.of(crowd.threads).stream().distinct().count() > 1,
                "one worker did all the work");
        soft.close();
    }

    /**
     * One worker, and actors that continue until the last of them has had a turn, which the JDK's
     * work stealing would never give it.
     */
    @Test
    void actorsThatNeverStopAreStopped() throws InterruptedException {
        SoftAffinity soft = new SoftAffinity(1, TimeSlice::new, Thread::new, worker -> {});
        CountDownLatch started = new CountDownLatch(3);
        List<Address<Boolean>> addresses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int actor = i;
            addresses.add(soft.actor(0, first -> {
                if (first) {
                    started.countDown();
                }
                if (started.getCount() > 0) {
                    addresses.get(actor).send(false);
                }
            }));
        }
        addresses.forEach(address -> address.send(true));
        assertTrue(started.await(30, TimeUnit.SECONDS), "an actor had no first turn");
        soft.close();
    }

    @Test
    void aSliceOfOneMessageEndsWhenOthersWait() {
        Slice slice = new OneMessage();
        slice.start();
        assertTrue(slice.isTimeToLook() && slice.isOver(1));
        assertFalse(slice.isOver(0), "no actor waits");
    }

    @Test
    void aTimeSliceEndsWhenOthersWait() throws InterruptedException {
        TimeSlice slice = new TimeSlice();
        slice.start();
        assertTrue(slice.isTimeToLook());
        assertFalse(slice.isOver(1_000));
        Thread.sleep(3);
        assertFalse(slice.isTimeToLook() && slice.isOver(0), "no actor waits");
        for (int message = 3; message < 4; message++) {
            assertFalse(slice.isTimeToLook());
        }
        assertTrue(
                slice.isTimeToLook() && slice.isOver(1_000),
                "a thousand wait, and a millisecond has passed");
    }

    private static void busy() {
        for (int i = 0; i < 20; i++) {
            Thread.onSpinWait();
        }
    }
}
