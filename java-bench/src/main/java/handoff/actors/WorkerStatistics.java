package handoff.actors;

import handoff.measure.Tally;
import handoff.mechanism.Padding;

/**
 * What one worker keeps for itself: its tally, and how often it dealt with the same actor again.
 */
final class WorkerStatistics extends Padding {
    private final Tally tally;
    private int last = -1;
    private long inARow;
    private final Padding behind = new Padding();

    WorkerStatistics(Tally tally) {
        this.tally = tally;
    }

    void done(int actor, long contribution) {
        if (actor == last) {
            inARow++;
        } else {
            last = actor;
        }
        tally.add(contribution);
    }

    /** Meaningful when the shot is over. */
    long inARow() {
        return inARow;
    }
}
