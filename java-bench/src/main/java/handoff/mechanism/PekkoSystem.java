package handoff.mechanism;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import handoff.measure.ThreadTeam;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.ActorSystem;
import scala.concurrent.Await;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.Duration;

/**
 * An actor system of Apache Pekko, the open-source fork of Akka, whose actors run on a fork/join
 * pool of the team's threads.
 */
public final class PekkoSystem {
    private static final String MAILBOX =
            "org.apache.pekko.dispatch.SingleConsumerOnlyUnboundedMailbox";
    private static final String OVERRIDES = """
            pekko {
              loglevel = "OFF"
              stdout-loglevel = "OFF"
              jvm-shutdown-hooks = off
              actor {
                default-dispatcher { executor = "default-executor", throughput = 1000 }
                default-mailbox.mailbox-type = "%s"
              }
            }
            """;
    private static final Config SETTINGS = ConfigFactory.parseString(OVERRIDES.formatted(MAILBOX))
            .withFallback(ConfigFactory.load(PekkoSystem.class.getClassLoader()));
    private static final Duration TIMEOUT = Duration.create(30, TimeUnit.SECONDS);

    private final ForkJoinPool pool;
    private final ActorSystem system;

    /**
     * @param started called on each of the pool's threads with its number, from 0
     */
    public PekkoSystem(ThreadTeam team, int threads, IntConsumer started) {
        pool = ForkJoin.open(team, threads, started);
        system = ActorSystem.create(
                "handoff",
                SETTINGS,
                PekkoSystem.class.getClassLoader(),
                ExecutionContext.fromExecutor(pool));
    }

    public ActorSystem system() {
        return system;
    }

    /**
     * Waits until every actor has counted down the latch that it was sent, because actors start
     * asynchronously.
     *
     * @throws IllegalStateException after 30 seconds
     */
    public static void awaitAnswers(CountDownLatch answers) {
        try {
            if (!answers.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        answers.getCount() + " actors did not answer within " + TIMEOUT + ".");
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Ends the actors and the pool. */
    public void stop() {
        system.terminate();
        try {
            Await.ready(system.whenTerminated(), TIMEOUT);
        } catch (InterruptedException | TimeoutException late) {
            throw new IllegalStateException("The actors did not end within " + TIMEOUT + ".", late);
        }
        pool.shutdownNow();
    }
}
