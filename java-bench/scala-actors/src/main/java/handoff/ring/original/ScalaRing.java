package handoff.ring.original;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import scala.Function0;
import scala.actors.Actor;
import scala.actors.Actor$;
import scala.actors.Scheduler$;
import scala.actors.scheduler.ExecutorScheduler;
import scala.actors.scheduler.ExecutorScheduler$;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * A ring of Scala's original actors: {@code loop { react { ... } }} in each, as in the library's
 * own examples. Its interface uses only types of the JDK, because all others that it uses are
 * unknown outside its class loader.
 */
public final class ScalaRing implements ObjIntConsumer<Object>, AutoCloseable {
    private final List<Actor> actors;
    private final ExecutorScheduler scheduler;

    /**
     * @param pool whose threads run the actors
     * @param visit called with each message and the number of the actor that received it
     */
    public ScalaRing(ExecutorService pool, int nodes, ObjIntConsumer<Object> visit) {
        scheduler = ExecutorScheduler$.MODULE$.apply(pool, false);
        // The scheduler of actors created outside an actor: one object for all, whose lock every
        // message takes.
        Scheduler$.MODULE$.impl_$eq(scheduler);
        actors = IntStream.range(0, nodes)
                .mapToObj(node -> Actor$.MODULE$.actor(body(node, visit)))
                .toList();
    }

    /** Sends {@code message} to actor {@code node}. */
    @Override
    public void accept(Object message, int node) {
        actors.get(node).$bang(message);
    }

    /** Ends the library's own thread, which watches the pool. */
    @Override
    public void close() {
        scheduler.shutdown();
    }

    private static Function0<BoxedUnit> body(int node, ObjIntConsumer<Object> visit) {
        Reaction reaction = new Reaction(node, visit);
        return function(() -> Actor$.MODULE$.loop(function(() -> Actor$.MODULE$.react(reaction))));
    }

    private static Function0<BoxedUnit> function(Runnable body) {
        return new AbstractFunction0<>() {
            @Override
            public BoxedUnit apply() {
                body.run();
                return BoxedUnit.UNIT;
            }
        };
    }

    private static final class Reaction extends AbstractPartialFunction<Object, BoxedUnit> {
        private final int node;
        private final ObjIntConsumer<Object> visit;

        Reaction(int node, ObjIntConsumer<Object> visit) {
            this.node = node;
            this.visit = visit;
        }

        @Override
        public boolean isDefinedAt(Object message) {
            return true;
        }

        @Override
        public BoxedUnit apply(Object message) {
            visit.accept(message, node);
            return BoxedUnit.UNIT;
        }

        @Override
        public <A, B> B applyOrElse(A message, scala.Function1<A, B> otherwise) {
            @SuppressWarnings("unchecked")
            B unit = (B) apply(message);
            return unit;
        }
    }
}
