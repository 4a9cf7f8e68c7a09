package handoff.mechanism;

import handoff.measure.ThreadTeam;

/** A thread of the team that takes from a queue, turn by turn, until it is interrupted. */
public final class ConsumerLoop {
    /** One turn: take, work, and put where another stage follows. */
    public interface Turn {
        void take() throws InterruptedException;
    }

    private ConsumerLoop() {}

    /** Starts a thread that takes turns. */
    public static void start(ThreadTeam team, Turn turn) {
        team.newThread(() -> repeat(team, turn)).start();
    }

    /** Takes turns on the calling thread, which belongs to the team. */
    public static void repeat(ThreadTeam team, Turn turn) {
        team.ready();
        try {
            while (true) {
                try {
                    turn.take();
                } catch (RuntimeException | Error reason) {
                    // Continues, because the producer may be waiting in put.
                    team.reportFailure(reason);
                }
            }
        } catch (InterruptedException shutDown) {
            Thread.currentThread().interrupt();
        }
    }
}
