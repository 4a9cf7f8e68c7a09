package handoff.ring;

import handoff.mechanism.Actors;
import handoff.mechanism.Carriers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/** The same with a virtual thread for each node, on k carriers: not the post's, but what its reader would try today. */
final class VirtualThreadPerNode extends Nodes {
    private final List<BlockingQueue<Token>> mailboxes;
    private final ExecutorService executor;

    VirtualThreadPerNode(Scenario scenario) {
        super(scenario);
        mailboxes = Stream.<BlockingQueue<Token>>generate(LinkedBlockingQueue::new).limit(scenario.nodes()).toList();
        executor = Carriers.open(scenario.crew(), scenario.threads());
        CountDownLatch born = new CountDownLatch(mailboxes.size());
        for (int each = 0; each < mailboxes.size(); each++) {
            int node = each;
            executor.execute(() -> live(node, born));
        }
        Actors.awaitAnswers(born);
    }

    private void live(int node, CountDownLatch born) {
        born.countDown();
        try {
            while (true) {
                receive(node, mailboxes.get(node).take());
            }
        } catch (InterruptedException dismissed) {
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
