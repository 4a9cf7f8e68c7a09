package handoff.mechanism;

import disruptor3.EventFactory;
import disruptor3.RingBuffer;
import disruptor3.WaitStrategy;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import handoff.input.BadInput;
import handoff.measure.ThreadTeam;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * The releases 3.x of the Disruptor. The jar contains 3.4.4; the class path of a fork may have
 * another one first. While the ring is full, the producer yields in 3.2.0 and parks for a
 * nanosecond at a time in all later ones.
 */
public enum Release3 {
    V3_4_4("3.4.4"),
    V3_2_0("3.2.0");

    private final String number;

    Release3(String number) {
        this.number = number;
    }

    @Override
    public String toString() {
        return number;
    }

    /**
     * @throws BadInput unless the class path has this release first, if the mechanism uses any
     */
    public static void verify(Mechanism mechanism, String wanted) {
        if (!mechanism.parameters().contains("release")) {
            return;
        }
        Path source = Path.of(RingBuffer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        String older = "disruptor-" + V3_2_0 + ".jar";
        String loaded = (source.endsWith(older) ? V3_2_0 : V3_4_4).number;
        if (!loaded.equals(wanted)) {
            throw new BadInput("release=" + wanted + ": this JVM has release " + loaded
                    + "; start it with -cp " + older + ":benchmarks.jar for " + V3_2_0
                    + ", and without " + older + " for " + V3_4_4 + ".");
        }
    }

    /**
     * Returns a Disruptor whose handlers get threads of the team and report failures to it. Its
     * constructor and its exception handler are those that all releases share; later ones replace
     * them.
     */
    @SuppressWarnings("deprecation")
    public static <E> Disruptor<E> open(
            EventFactory<E> event,
            int capacity,
            ThreadTeam team,
            ProducerType producers,
            WaitStrategy waiting) {
        Executor threads = handler -> team.newThread(handler).start();
        Disruptor<E> disruptor = new Disruptor<>(event, capacity, threads, producers, waiting);
        disruptor.handleExceptionsWith(new FailureReporter<>(team));
        return disruptor;
    }
}
