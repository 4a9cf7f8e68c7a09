package handoff.executors;

import handoff.mechanism.BlockingExchange;
import handoff.mechanism.Handoff;
import handoff.mechanism.JctoolsExchange;
import handoff.mechanism.Mechanism;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Function;

/** All mechanisms: the columns and stages of the post, then candidates of today. */
public enum ExecutorsMechanism implements Mechanism {
    FIXED_THREAD_POOL(FixedThreadPool::new, List.of("reduction", "start")),
    DISRUPTOR_WORKER_POOL(DisruptorWorkerPool::new, List.of("release")),
    DISRUPTOR_PARTITIONED(DisruptorPartitioned::new, List.of("release")),
    PEKKO(PekkoExecutor::new, List.of()),
    LINKED_TRANSFER_QUEUE(
            setup -> new ExchangeExecutor(
                    setup, new BlockingExchange<>(new LinkedTransferQueue<>())),
            Uses.SUM),
    SYNCHRONOUS_QUEUE(
            setup -> new ExchangeExecutor(setup, new BlockingExchange<>(new SynchronousQueue<>())),
            Uses.SUM),
    ARRAY_BLOCKING_QUEUE(
            setup -> new ExchangeExecutor(
                    setup, new BlockingExchange<>(new ArrayBlockingQueue<>(1000))),
            Uses.SUM),
    STRIPED_LINKED_TRANSFER_QUEUE(
            setup -> new StripedExecutor(
                    setup, () -> new BlockingExchange<>(new LinkedTransferQueue<>())),
            Uses.SUM),
    RING_BUFFER(
            setup -> new ExchangeExecutor(
                    setup,
                    new RingBuffer<>(
                            setup.capacity(), setup.index(), setup.separation(), setup.idle())),
            List.of("reduction", "capacity", "idle", "index", "separation")),
    RING_BUFFER_SPMC(
            setup -> new ExchangeExecutor(
                    setup, new RingBufferSpmc<>(setup.capacity(), setup.idle())),
            Uses.RING),
    RING_BUFFER_CACHED(
            setup -> new ExchangeExecutor(
                    setup, new RingBufferCached<>(setup.capacity(), setup.idle())),
            Uses.RING),
    FORK_JOIN_POOL(ForkJoinExecutor::new, Uses.SUM),
    JCTOOLS_SPMC(
            setup -> new ExchangeExecutor(
                    setup, new JctoolsExchange<>(setup.capacity(), setup.idle())),
            Uses.RING),
    VIRTUAL_THREADS(VirtualThreads::new, Uses.SUM);

    private final Function<ExecutorsSetup, Handoff> opening;
    private final List<String> parameters;

    ExecutorsMechanism(Function<ExecutorsSetup, Handoff> opening, List<String> parameters) {
        this.opening = opening;
        this.parameters = parameters;
    }

    Handoff open(ExecutorsSetup setup) {
        return opening.apply(setup);
    }

    @Override
    public List<String> parameters() {
        return Mechanism.all(Uses.EVERY, parameters);
    }

    /** Returns whether a thread of its own collects the results. */
    boolean collects() {
        return this == DISRUPTOR_WORKER_POOL || this == DISRUPTOR_PARTITIONED;
    }

    private static final class Uses {
        static final List<String> EVERY =
                List.of("threads", "events", "terms", "placement", "collector", "memory");
        static final List<String> SUM = List.of("reduction");
        static final List<String> RING = List.of("reduction", "capacity", "idle");
    }
}
