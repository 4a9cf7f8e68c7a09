package handoff.scaling;

import java.util.concurrent.ArrayBlockingQueue;

/** The "standard" method of the paper: one array, one lock for both ends, two conditions. */
final class ArrayBlockingQueueHandoff extends ExchangeHandoff {
    ArrayBlockingQueueHandoff(ScalingSetup setup) {
        super(new ArrayBlockingQueue<>(setup.capacity()), setup);
    }
}
