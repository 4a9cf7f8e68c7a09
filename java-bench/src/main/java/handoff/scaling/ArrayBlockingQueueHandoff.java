package handoff.scaling;

import java.util.concurrent.ArrayBlockingQueue;

/** The paper's "standard" method: one array, one lock for both ends, two conditions. */
final class ArrayBlockingQueueHandoff extends BlockingQueueHandoff {
    ArrayBlockingQueueHandoff(ScalingSetup setup) {
        super(new ArrayBlockingQueue<>(setup.capacity()), setup);
    }
}
