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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        executor = new SoftAffinity(
                workers,
                TimeSlice::new,
                body -> {
                    Thread thread = new Thread(body);
                    thread.setDaemon(true);
                    return thread;
                },
                worker -> {});
        return executor;
    }

    private record Letter(int sender, int number) {}

    /**
     * An actor without a lock: its plain fields are correct only if one thread at a time runs it.
     * It also sends letters to itself.
     */
    private static final class Reader {
        private final int[] last = new int[SENDERS + 1];
        private int read;
        private int disorder;
        private int sentItself;

        /** Returns a letter to itself after every third letter of another sender. */
        Letter read(Letter letter) {
            if (letter.number() != last[letter.sender()] + 1) {
                disorder++;
            }
            last[letter.sender()] = letter.number();
            read++;
            return letter.sender() < SENDERS && read % 3 == 0
                    ? new Letter(SENDERS, ++sentItself)
                    : null;
        }
    }

    /** All actors start on the first worker, so that other workers take them from it. */
    @Test
    void noMessageIsLostAndEverySendersOrderIsKept() throws InterruptedException {
        for (int workers : new int[] {1, 2, 4}) {
            SoftAffinity soft = open(workers);
            CountDownLatch done = new CountDownLatch(5 * SENDERS * EACH);
            List<Reader> readers =
                    IntStream.range(0, 5).mapToObj(i -> new Reader()).toList();
            List<Address<Letter>> addresses = new ArrayList<>();
            readers.forEach(reader -> {
                int self = addresses.size();
                addresses.add(soft.actor(0, letter -> {
                    Letter more = reader.read(letter);
                    if (more != null) {
                        addresses.get(self).send(more);
                    }
                    if (letter.sender() < SENDERS) {
                        done.countDown();
                    }
                }));
            });
            IntStream.range(0, SENDERS)
                    .mapToObj(sender -> new Thread(() -> send(sender, addresses)))
                    .forEach(Thread::start);
            assertTrue(
                    done.await(30, TimeUnit.SECONDS), done.getCount() + " messages did not arrive");
            Thread.sleep(50);
            soft.close();
            readers.forEach(reader -> assertEquals(
                    List.of(SENDERS * EACH + reader.sentItself, 0),
                    List.of(reader.read, reader.disorder)));
            assertTrue(readers.stream().allMatch(reader -> reader.sentItself > 0));
        }
    }

    private static void send(int sender, List<Address<Letter>> addresses) {
        for (int number = 1; number <= EACH; number++) {
            for (Address<Letter> address : addresses) {
                address.send(new Letter(sender, number));
            }
            if (number % 1_000 == 0) {
                LockSupport.parkNanos(300_000);
            }
        }
    }

    /**
     * A message that an actor sends to itself bypasses the mailbox, but does not overtake earlier
     * ones.
     */
    @Test
    void messagesToItselfStayInOrder() throws InterruptedException {
        SoftAffinity soft = open(2);
        int number = 30_000;
        List<Integer> read = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        List<Address<Integer>> self = new ArrayList<>();
        self.add(soft.actor(0, letter -> {
            read.add(letter);
            // Message n sends 2n + 1 and 2n + 2, each of which is one more than the
            // previous one.
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

    /**
     * An actor waits alone behind a message that takes long, while the other worker sleeps; or both
     * are sent while all sleep.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anActorIsTakenFromBehindALongMessage(boolean patient) throws InterruptedException {
        SoftAffinity soft = open(2);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Address<String> slow = soft.actor(0, message -> {
            try {
                started.countDown();
                assertTrue(other.await(20, TimeUnit.SECONDS), "no worker took the other actor");
                done.countDown();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        Address<String> quick = soft.actor(0, message -> other.countDown());
        slow.send("wait");
        if (patient) {
            assertTrue(started.await(20, TimeUnit.SECONDS));
            Thread.sleep(20);
        }
        quick.send("go");
        assertTrue(done.await(20, TimeUnit.SECONDS));
    }

    /**
     * Sends messages while all workers sleep, many times, because a wake-up would be lost only
     * rarely.
     */
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
            assertTrue(arrived.await(20, TimeUnit.SECONDS), "message " + i + " woke no worker");
        }
    }
}
