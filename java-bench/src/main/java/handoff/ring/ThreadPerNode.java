package handoff.ring;

import handoff.mechanism.ConsumerLoop;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * The post's "SimpleRing": every node a thread that waits at its own mailbox.
 *
 * <pre>
 *    ┌─▶ mailbox ─ take ─▶ T1 ── add ─▶ mailbox ─ take ─▶ T2 ─ ... ─▶ T100 ─┐
 *    └──────────────────────────────────────────────────────────────────────┘
 * </pre>
 */
final class ThreadPerNode extends RingNodes {
    private final List<BlockingQueue<Token>> mailboxes;

    ThreadPerNode(RingSetup setup) {
        super(setup);
        mailboxes = Stream.<BlockingQueue<Token>>generate(LinkedBlockingQueue::new)
                .limit(setup.nodes())
                .toList();
        for (int each = 0; each < mailboxes.size(); each++) {
            int node = each;
            ConsumerLoop.start(
                    setup.team(), () -> receive(node, mailboxes.get(node).take()));
        }
    }

    @Override
    void send(int node, Token token) {
        mailboxes.get(node).add(token);
    }
}
