package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.Tally;
import handoff.measure.WrittenBy;

/** The records of one worker: its tally, and how often it handled the same actor again. */
final class WorkerStatistics extends WorkerStatisticsState {
    private final Tally tally;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

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

    /** Returns the messages that followed one of the same actor; valid after the shot. */
    long inARow() {
        return inARow;
    }
}

/** The fields written at each message. */
class WorkerStatisticsState extends Padding {
    @WrittenBy("its worker")
    int last = -1;

    @WrittenBy("its worker")
    long inARow;
}
