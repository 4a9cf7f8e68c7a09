package handoff.mechanism;

import handoff.measure.ThreadTeam;

/** A thread of the team that takes from a queue, turn after turn, until it is interrupted. */
public final class ConsumerLoop {
    /** What is done each turn: take, work, and where there is a next stage, put. */
    public interface Turn {
        void take() throws InterruptedException;
    }

    private ConsumerLoop() {}

    public static void start(ThreadTeam team, Turn turn) {
        team.newThread(() -> repeat(team, turn)).start();
    }

    /** The same on the calling thread, one of the team's. */
    public static void repeat(ThreadTeam team, Turn turn) {
        team.ready();
        try {
            while (true) {
                try {
                    turn.take();
                } catch (RuntimeException | Error reason) {
                    // Goes on taking, so that the producer is not left waiting in put.
                    team.reportFailure(reason);
                }
            }
        } catch (InterruptedException shutDown) {
            Thread.currentThread().interrupt();
        }
    }
}
