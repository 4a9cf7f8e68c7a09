package handoff.executors;

import handoff.mechanism.PekkoSystem;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.routing.Broadcast;
import org.apache.pekko.routing.RoundRobinPool;

/**
 * The post's column "akkapi" with Apache Pekko: n actors compute in turn, another one collects.
 *
 * <pre>
 *                     ┌─ mailbox ─▶ A1 ─┐
 *   P ── tell ─▶ router ─ mailbox ─▶ A2 ├─ mailbox ─▶ C     all actors run on a fork/join pool
 *                     └─ mailbox ─▶ An ─┘                   of n threads
 * </pre>
 *
 * In the original an actor of the same pool sent the tasks; here the producer sends them, as in
 * every mechanism.
 */
final class PekkoExecutor extends TaskProducer {
    private final PekkoSystem actors;
    private final ActorRef router;

    PekkoExecutor(ExecutorsSetup setup) {
        super(setup.job());
        actors = new PekkoSystem(setup.team(), setup.threads(), setup.job()::register);
        ActorRef collector = actors.system()
                .actorOf(
                        Props.create(
                                Collector.class, () -> new Collector(setup.job().ledger(0))),
                        "collector");
        router = actors.system()
                .actorOf(
                        new RoundRobinPool(setup.threads())
                                .props(Props.create(Worker.class, () -> new Worker(collector))),
                        "workers");
        CountDownLatch answers = new CountDownLatch(setup.threads());
        router.tell(new Broadcast(answers), ActorRef.noSender());
        PekkoSystem.awaitAnswers(answers);
    }

    @Override
    void submit(Task task) {
        router.tell(task, ActorRef.noSender());
    }

    @Override
    public void stop() {
        actors.stop();
    }

    private record Result(int slice, double value) {}

    private static final class Worker extends AbstractActor {
        private final ActorRef collector;

        Worker(ActorRef collector) {
            this.collector = collector;
        }

        /** Before the clock starts, each worker answers once through the collector. */
        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Task.class, task -> {
                        collector.tell(new Result(task.slice(), task.value()), ActorRef.noSender());
                    })
                    .match(
                            CountDownLatch.class,
                            answers -> collector.tell(answers, ActorRef.noSender()))
                    .build();
        }
    }

    private static final class Collector extends AbstractActor {
        private final WorkerSum ledger;

        Collector(WorkerSum ledger) {
            this.ledger = ledger;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Result.class, result -> ledger.add(result.slice(), result.value()))
                    .match(CountDownLatch.class, CountDownLatch::countDown)
                    .build();
        }
    }
}
