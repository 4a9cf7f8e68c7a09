package handoff.ring;

import handoff.mechanism.PekkoSystem;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/** A ring with an Apache Pekko actor per node, on a fork/join pool of k threads. */
final class PekkoNodes extends RingNodes {
    private final PekkoSystem actors;
    private final List<ActorRef> nodes;

    PekkoNodes(RingSetup setup) {
        super(setup);
        actors = new PekkoSystem(setup.team(), setup.threads(), thread -> {});
        nodes = IntStream.range(0, setup.nodes())
                .mapToObj(node -> actors.system()
                        .actorOf(
                                Props.create(Node.class, () -> new Node(this, node)),
                                "node-" + node))
                .toList();
        CountDownLatch answers = new CountDownLatch(nodes.size());
        nodes.forEach(node -> node.tell(answers, ActorRef.noSender()));
        PekkoSystem.awaitAnswers(answers);
    }

    @Override
    void send(int node, Token token) {
        nodes.get(node).tell(token, ActorRef.noSender());
    }

    @Override
    public void stop() {
        actors.stop();
    }

    private static final class Node extends AbstractActor {
        private final PekkoNodes ring;
        private final int number;

        Node(PekkoNodes ring, int number) {
            this.ring = ring;
            this.number = number;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Token.class, token -> ring.receive(number, token))
                    .match(CountDownLatch.class, CountDownLatch::countDown)
                    .build();
        }
    }
}
