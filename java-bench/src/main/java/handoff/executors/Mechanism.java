package handoff.executors;

import handoff.mechanism.Handoff;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Function;

/** The list of all mechanisms: the post's columns and stages, then what one would take today. */
public enum Mechanism {
    FIXED_THREAD_POOL(FixedThreadPool::new, List.of("reduction", "start")),
    DISRUPTOR_WORKER_POOL(DisruptorWorkerPool::new, List.of()),
    DISRUPTOR_PARTITIONED(DisruptorPartitioned::new, List.of()),
    PEKKO(PekkoExecutor::new, List.of()),
    LINKED_TRANSFER_QUEUE(scenario -> new ExchangeExecutor(scenario, new BlockingExchange<>(new LinkedTransferQueue<>())), Uses.SUM),
    SYNCHRONOUS_QUEUE(scenario -> new ExchangeExecutor(scenario, new BlockingExchange<>(new SynchronousQueue<>())), Uses.SUM),
    ARRAY_BLOCKING_QUEUE(scenario -> new ExchangeExecutor(scenario,
        new BlockingExchange<>(new ArrayBlockingQueue<>(1000))), Uses.SUM),
    STRIPED_LINKED_TRANSFER_QUEUE(scenario -> new StripedExecutor(scenario,
        () -> new BlockingExchange<>(new LinkedTransferQueue<>())), Uses.SUM),
    RING_BUFFER(scenario -> new ExchangeExecutor(scenario,
        new RingBuffer<>(scenario.capacity(), scenario.index(), scenario.separation(), scenario.idle())),
        List.of("reduction", "capacity", "idle", "index", "separation")),
    RING_BUFFER_SPMC(scenario -> new ExchangeExecutor(scenario,
        new RingBufferSpmc<>(scenario.capacity(), scenario.idle())), Uses.RING),
    RING_BUFFER_CACHED(scenario -> new ExchangeExecutor(scenario,
        new RingBufferCached<>(scenario.capacity(), scenario.idle())), Uses.RING),
    FORK_JOIN_POOL(ForkJoinExecutor::new, Uses.SUM),
    JCTOOLS_SPMC(scenario -> new ExchangeExecutor(scenario,
        new JctoolsExchange<>(scenario.capacity(), scenario.idle())), Uses.RING),
    VIRTUAL_THREADS(VirtualThreads::new, Uses.SUM);

    private final Function<Scenario, Handoff> opening;
    private final List<String> parameters;

    Mechanism(Function<Scenario, Handoff> opening, List<String> parameters) {
        this.opening = opening;
        this.parameters = parameters;
    }

    Handoff open(Scenario scenario) {
        return opening.apply(scenario);
    }

    /** Beyond those of every mechanism, the parameters that make a difference to it. */
    List<String> parameters() {
        return parameters;
    }

    /** Whether a thread beyond producer and workers collects the results. */
    boolean collects() {
        return this == DISRUPTOR_WORKER_POOL || this == DISRUPTOR_PARTITIONED;
    }

    private static final class Uses {
        static final List<String> SUM = List.of("reduction");
        static final List<String> RING = List.of("reduction", "capacity", "idle");
    }
}
