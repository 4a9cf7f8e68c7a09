package handoff.executors;

import handoff.measure.Tally;
import handoff.mechanism.Padding;

/**
 * What one worker keeps for itself: its part of the sum, where results are added up by worker, and
 * its tally.
 */
final class WorkerSum extends Padding {
    final Tally tally;
    double sum;

    WorkerSum(Tally tally) {
        this.tally = tally;
    }

    void add(int slice, double result) {
        sum += result;
        tally.add(PiJob.mark(slice));
    }
}
