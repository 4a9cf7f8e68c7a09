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
 * Like {@link ThreadPerNode}, but with virtual threads on k carriers: not in the post, but what its
 * reader would try today.
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
        CountDownLatch started = new CountDownLatch(mailboxes.size());
        for (int i = 0; i < mailboxes.size(); i++) {
            int node = i;
            executor.execute(() -> serve(node, started));
        }
        PekkoSystem.awaitAnswers(started);
    }

    private void serve(int node, CountDownLatch started) {
        started.countDown();
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
