package handoff.mechanism;

import handoff.measure.Crew;

/** A thread of the crew that takes from a queue, turn after turn, until it is interrupted. */
public final class Turns {
    /** What is done each turn: take, work, and where there is a next stage, put. */
    public interface Turn {
        void take() throws InterruptedException;
    }

    private Turns() {
    }

    public static void start(Crew crew, Turn turn) {
        crew.newThread(() -> repeat(crew, turn)).start();
    }

    /** The same on the calling thread, one of the crew's. */
    public static void repeat(Crew crew, Turn turn) {
        crew.ready();
        try {
            while (true) {
                try {
                    turn.take();
                } catch (RuntimeException | Error reason) {
                    // Goes on taking, so that the producer is not left waiting in put.
                    crew.failed(reason);
                }
            }
        } catch (InterruptedException dismissed) {
            Thread.currentThread().interrupt();
        }
    }
}
