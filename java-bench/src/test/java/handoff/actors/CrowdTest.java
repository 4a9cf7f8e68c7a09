package handoff.actors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CrowdTest {
    /** What every actor of a crowd did, and where. */
    private static final class Crowd {
        private static final int ACTORS = 12;
        private static final int TURNS = 20_000;

        private final long[] turns = new long[ACTORS];
        private final Thread[] threads = new Thread[ACTORS];
        private final CountDownLatch begun = new CountDownLatch(ACTORS);
        private final CountDownLatch done = new CountDownLatch(ACTORS);
        private final List<Address<Integer>> addresses = new ArrayList<>();

        /** All actors begin on one worker. */
        Crowd(SoftAffinity soft) {
            for (int each = 0; each < ACTORS; each++) {
                int actor = each;
                addresses.add(soft.actor(0, turn -> take(actor, turn)));
            }
        }

        private void take(int actor, int turn) {
            turns[actor]++;
            threads[actor] = Thread.currentThread();
            busy();
            (turn == 1 ? begun : turn == TURNS ? done : new CountDownLatch(1)).countDown();
            if (turn < TURNS) {
                addresses.get(actor).send(turn + 1);
            }
        }
    }

    /** All actors send themselves message after message: each gets its turns, and idle workers help. */
    @Test
    void noActorStarvesAndIdleWorkersHelp() throws InterruptedException {
        SoftAffinity soft = new SoftAffinity(3, Thread::new, worker -> { });
        Crowd crowd = new Crowd(soft);
        crowd.addresses.forEach(address -> address.send(1));
        assertTrue(crowd.begun.await(30, TimeUnit.SECONDS), "an actor has not had its first turn");
        assertTrue(crowd.done.await(60, TimeUnit.SECONDS), "an actor did not come to its end");
        for (long turns : crowd.turns) {
            assertEquals(Crowd.TURNS, turns);
        }
        assertTrue(List.of(crowd.threads).stream().distinct().count() > 1, "one worker did all the work");
        soft.close();
    }

    private static void busy() {
        for (int i = 0; i < 20; i++) {
            Thread.onSpinWait();
        }
    }
}
