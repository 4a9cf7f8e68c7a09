package handoff.executors;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.routing.Broadcast;
import org.apache.pekko.routing.RoundRobinPool;
import scala.concurrent.Await;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.Duration;

/**
 * The post's column "akkapi" with Apache Pekko, Akka's free descendant: n actors compute in turn, one more collects.
 *
 * <pre>
 *                     ┌─ mailbox ─▶ A1 ─┐
 *   P ── tell ─▶ router ─ mailbox ─▶ A2 ├─ mailbox ─▶ C     all actors run on a fork/join pool of n threads
 *                     └─ mailbox ─▶ An ─┘
 * </pre>
 *
 * In the original an actor of the same pool sent the tasks; here the producer does, as everywhere.
 */
final class PekkoExecutor extends Submission {
    private static final Config SETTINGS = ConfigFactory.parseString("""
        pekko {
          loglevel = "OFF"
          stdout-loglevel = "OFF"
          jvm-shutdown-hooks = off
          actor {
            default-dispatcher { executor = "default-executor", throughput = 1000 }
            default-mailbox.mailbox-type = "org.apache.pekko.dispatch.SingleConsumerOnlyUnboundedMailbox"
          }
        }
        """).withFallback(ConfigFactory.load(PekkoExecutor.class.getClassLoader()));
    private static final Duration PATIENCE = Duration.create(30, TimeUnit.SECONDS);

    private final ForkJoinPool pool;
    private final ActorSystem system;
    private final ActorRef router;

    PekkoExecutor(Scenario scenario) {
        super(scenario.job());
        pool = ForkJoin.open(scenario);
        system = ActorSystem.create("executors", SETTINGS, PekkoExecutor.class.getClassLoader(), ExecutionContext.fromExecutor(pool));
        ActorRef collector = system.actorOf(Props.create(Collector.class, () -> new Collector(scenario.job().ledger(0))), "collector");
        router = system.actorOf(new RoundRobinPool(scenario.threads()).props(
            Props.create(Worker.class, () -> new Worker(collector))), "workers");
        awaitActors(scenario.threads());
    }

    /** Actors start when they like: each worker answers once, by way of the collector, before the clock. */
    private void awaitActors(int workers) {
        CountDownLatch answers = new CountDownLatch(workers);
        router.tell(new Broadcast(new Call(answers)), ActorRef.noSender());
        try {
            if (!answers.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(answers.getCount() + " actors did not answer within " + PATIENCE + ".");
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    void submit(Task task) {
        router.tell(task, ActorRef.noSender());
    }

    @Override
    public void stop() {
        system.terminate();
        try {
            Await.ready(system.whenTerminated(), PATIENCE);
        } catch (InterruptedException | TimeoutException late) {
            throw new IllegalStateException("The actors did not end within " + PATIENCE + ".", late);
        }
        pool.shutdownNow();
    }

    private record Call(CountDownLatch answers) {
    }

    private record Result(int slice, double value) {
    }

    private static final class Worker extends AbstractActor {
        private final ActorRef collector;

        Worker(ActorRef collector) {
            this.collector = collector;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(Task.class, task -> {
                collector.tell(new Result(task.slice(), task.value()), ActorRef.noSender());
            }).match(Call.class, call -> collector.tell(call, ActorRef.noSender())).build();
        }
    }

    private static final class Collector extends AbstractActor {
        private final Ledger ledger;

        Collector(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(Result.class, result -> ledger.add(result.slice(), result.value()))
                .match(Call.class, call -> call.answers().countDown()).build();
        }
    }
}
