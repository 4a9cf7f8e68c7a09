package handoff.actors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads that send to one actor of SOFT_AFFINITY and run it when the mailbox asks them to. The
 * actor counts in plain fields, which are right only if one thread runs it at a time and sees the
 * writes of the other.
 */
@JCStressTest
@Outcome(
        id = "4, 0",
        expect = ACCEPTABLE,
        desc = "each message read once, in the order of its sender")
@Outcome(expect = FORBIDDEN, desc = "lost, repeated, out of order, or read by both at once")
@State
public class MailboxStress {
    private final Mailbox<int[]> mailbox = new Mailbox<>();
    private final int[] last = new int[2];
    private int read;
    private int misplaced;

    private void send(int sender) {
        for (int number = 1; number <= 2; number++) {
            if (mailbox.put(new int[] {sender, number})) {
                do {
                    int[] message = mailbox.message();
                    read++;
                    misplaced += message[1] == ++last[message[0]] ? 0 : 1;
                } while (mailbox.next());
            }
        }
    }

    @Actor
    public void one() {
        send(0);
    }

    @Actor
    public void other() {
        send(1);
    }

    @Arbiter
    public void rest(II_Result result) {
        result.r1 = read;
        result.r2 = misplaced;
    }
}
