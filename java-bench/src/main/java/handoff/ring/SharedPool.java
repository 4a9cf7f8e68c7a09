package handoff.ring;

import handoff.mechanism.ThreadPool;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The post's "OptimizedRing": sending adds to the node's mailbox and submits the node to the pool,
 * where it takes one message.
 *
 * <pre>
 *    send ──▶ mailbox of the node            ┌──▶ T1
 *      └────▶ the pool's queue of nodes ─────┤         take one message of the node's mailbox,
 *                                            └──▶ Tk   send it on
 * </pre>
 *
 * As published, a node with two messages is in the queue twice, so two threads may run it at once.
 */
final class SharedPool extends RingNodes {
    private final ThreadPool pool;
    private final List<? extends Node> nodes;

    SharedPool(RingSetup setup) {
        super(setup);
        pool = new ThreadPool(setup.team(), setup.threads(), thread -> {});
        pool.prestartAllCoreThreads();
        boolean serialised = setup.serialisation() == Serialisation.SERIALISED;
        nodes = IntStream.range(0, setup.nodes())
                .mapToObj(node -> serialised ? new Serialised(node) : new Node(node))
                .toList();
    }

    @Override
    void send(int node, Token token) {
        nodes.get(node).send(token);
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }

    private class Node implements Runnable {
        final BlockingQueue<Token> mailbox = new LinkedBlockingQueue<>();
        private final int number;

        Node(int number) {
            this.number = number;
        }

        void send(Token token) {
            mailbox.add(token);
            pool.execute(this);
        }

        @Override
        public void run() {
            receive(number, mailbox.remove());
        }
    }

    private final class Serialised extends Node {
        /**
         * Messages sent and not yet handled; the node is submitted when this rises from 0 to 1, and
         * after each message while others wait.
         */
        private final AtomicInteger pending = new AtomicInteger();

        Serialised(int number) {
            super(number);
        }

        @Override
        void send(Token token) {
            mailbox.add(token);
            if (pending.getAndIncrement() == 0) {
                pool.execute(this);
            }
        }

        @Override
        public void run() {
            super.run();
            if (pending.decrementAndGet() > 0) {
                pool.execute(this);
            }
        }
    }
}
