package handoff.executors;

import handoff.measure.Padding;
import handoff.measure.Tally;
import handoff.measure.WrittenBy;

/**
 * The ledger of one worker: its tally and, with {@link Reduction#PER_WORKER}, its part of the sum.
 */
final class WorkerSum extends WorkerSumState {
    final Tally tally;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    WorkerSum(Tally tally) {
        this.tally = tally;
    }

    void add(int slice, double result) {
        sum += result;
        tally.add(PiJob.mark(slice));
    }
}

/** The field that the worker writes for every task. */
class WorkerSumState extends Padding {
    @WrittenBy("its worker")
    double sum;
}
