package handoff.ring;

import handoff.mechanism.Turns;
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
final class ThreadPerNode extends Nodes {
    private final List<BlockingQueue<Token>> mailboxes;

    ThreadPerNode(Scenario scenario) {
        super(scenario);
        mailboxes = Stream.<BlockingQueue<Token>>generate(LinkedBlockingQueue::new).limit(scenario.nodes()).toList();
        for (int each = 0; each < mailboxes.size(); each++) {
            int node = each;
            Turns.start(scenario.crew(), () -> receive(node, mailboxes.get(node).take()));
        }
    }

    @Override
    void send(int node, Token token) {
        mailboxes.get(node).add(token);
    }
}
