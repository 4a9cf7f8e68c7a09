package handoff.ring;

import handoff.mechanism.Carriers;
import handoff.mechanism.PekkoSystem;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * The same with a virtual thread for each node, on k carriers: not the post's, but what its reader
 * would try today.
 */
final class VirtualThreadPerNode extends RingNodes {
    private final List<BlockingQueue<Token>> mailboxes;
    private final ExecutorService executor;

    VirtualThreadPerNode(RingSetup setup) {
        super(setup);
        mailboxes = Stream.<BlockingQueue<Token>>generate(LinkedBlockingQueue::new)
                .limit(setup.nodes())
                .toList();
        executor = Carriers.open(setup.team(), setup.threads());
        CountDownLatch born = new CountDownLatch(mailboxes.size());
        for (int each = 0; each < mailboxes.size(); each++) {
            int node = each;
            executor.execute(() -> live(node, born));
        }
        PekkoSystem.awaitAnswers(born);
    }

    private void live(int node, CountDownLatch born) {
        born.countDown();
        try {
            while (true) {
                receive(node, mailboxes.get(node).take());
            }
        } catch (InterruptedException shutDown) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    void send(int node, Token token) {
        mailboxes.get(node).add(token);
    }

    @Override
    public void stop() {
        executor.shutdownNow();
    }
}
