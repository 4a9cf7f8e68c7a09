package handoff.ring;

import handoff.mechanism.ConsumerLoop;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * The post's "SimpleRing": one thread per node, which waits at the node's mailbox.
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
        for (int i = 0; i < mailboxes.size(); i++) {
            int node = i;
            ConsumerLoop.start(
                    setup.team(), () -> receive(node, mailboxes.get(node).take()));
        }
    }

    @Override
    void send(int node, Token token) {
        mailboxes.get(node).add(token);
    }
}
