package handoff.executors;

import handoff.measure.Padding;
import handoff.measure.Tally;
import handoff.measure.WrittenBy;

/**
 * What one worker keeps for itself: its part of the sum, where results are added up by worker, and
 * its tally.
 */
final class WorkerSum extends WorkerSumState {
    final Tally tally;

    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    WorkerSum(Tally tally) {
        this.tally = tally;
    }

    void add(int slice, double result) {
        sum += result;
        tally.add(PiJob.mark(slice));
    }
}

/** What its worker writes for every task. */
class WorkerSumState extends Padding {
    @WrittenBy("its worker")
    double sum;
}
