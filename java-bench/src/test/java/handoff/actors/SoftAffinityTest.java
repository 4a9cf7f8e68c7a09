package handoff.actors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SoftAffinityTest {
    private static final int SENDERS = 3;
    private static final int EACH = 20_000;

    private SoftAffinity executor;

    @AfterEach
    void close() {
        executor.close();
    }

    private SoftAffinity open(int workers) {
        executor = new SoftAffinity(workers, body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        }, worker -> { });
        return executor;
    }

    private record Letter(int sender, int number) {
    }

    /** Keeps no lock: its plain fields are right only if it is run by one thread at a time. */
    private static final class Reader {
        private final int[] last = new int[SENDERS];
        private int read;
        private int disorder;

        void read(Letter letter) {
            if (letter.number() != last[letter.sender()] + 1) {
                disorder++;
            }
            last[letter.sender()] = letter.number();
            read++;
        }
    }

    @Test
    void noneIsLostAndEverySendersOrderIsKept() throws InterruptedException {
        for (int workers : new int[] {1, 2, 4}) {
            SoftAffinity soft = open(workers);
            CountDownLatch done = new CountDownLatch(5 * SENDERS * EACH);
            List<Reader> readers = IntStream.range(0, 5).mapToObj(i -> new Reader()).toList();
            List<Address<Letter>> addresses = IntStream.range(0, 5).mapToObj(i -> soft.<Letter>actor(i % workers, letter -> {
                readers.get(i).read(letter);
                done.countDown();
            })).toList();
            List<Thread> senders = IntStream.range(0, SENDERS).mapToObj(sender -> new Thread(() -> {
                for (int number = 1; number <= EACH; number++) {
                    for (Address<Letter> address : addresses) {
                        address.send(new Letter(sender, number));
                    }
                    if (number % 1_000 == 0) {
                        LockSupport.parkNanos(300_000);
                    }
                }
            })).toList();
            senders.forEach(Thread::start);
            assertTrue(done.await(30, TimeUnit.SECONDS), done.getCount() + " messages did not arrive");
            readers.forEach(reader -> assertEquals(List.of(SENDERS * EACH, 0), List.of(reader.read, reader.disorder)));
            soft.close();
        }
    }

    /** What an actor sends itself is kept beside the mailbox, but does not overtake what it sent itself before. */
    @Test
    void whatAnActorSendsItselfStaysInOrder() throws InterruptedException {
        SoftAffinity soft = open(2);
        int number = 30_000;
        List<Integer> read = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        List<Address<Integer>> self = new ArrayList<>();
        self.add(soft.actor(0, letter -> {
            read.add(letter);
            // Message n sends 2n + 1 and 2n + 2, each of which is one more than the one before it.
            for (int next = 2 * letter + 1; next <= 2 * letter + 2 && next < number; next++) {
                self.get(0).send(next);
            }
            if (read.size() == number) {
                done.countDown();
            }
        }));
        self.get(0).send(0);
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertEquals(IntStream.range(0, number).boxed().toList(), read);
    }

    /** An actor waits alone behind a message that takes long, while the other worker sleeps. */
    @Test
    void anActorIsTakenFromBehindALongMessage() throws InterruptedException {
        SoftAffinity soft = open(2);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Address<String> slow = soft.actor(0, message -> {
            try {
                begun.countDown();
                assertTrue(other.await(20, TimeUnit.SECONDS), "nobody took the other actor");
                done.countDown();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        Address<String> quick = soft.actor(0, message -> other.countDown());
        slow.send("wait");
        assertTrue(begun.await(20, TimeUnit.SECONDS));
        Thread.sleep(20);
        quick.send("go");
        assertTrue(done.await(20, TimeUnit.SECONDS));
    }

    /** Everybody sleeps, then something comes: again and again, for a wake-up is lost only now and then. */
    @Test
    void sleepersWake() throws InterruptedException {
        SoftAffinity soft = open(2);
        for (int i = 0; i < 3_000; i++) {
            CountDownLatch arrived = new CountDownLatch(1);
            Address<CountDownLatch> actor = soft.actor(i % 2, CountDownLatch::countDown);
            if (i % 3 == 0) {
                LockSupport.parkNanos(30_000 + 100 * i % 90_000);
            }
            actor.send(arrived);
            assertTrue(arrived.await(20, TimeUnit.SECONDS), "message " + i + " was slept through");
        }
    }
}
