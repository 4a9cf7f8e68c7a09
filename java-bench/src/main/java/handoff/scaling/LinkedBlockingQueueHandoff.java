package handoff.scaling;

import java.util.concurrent.LinkedBlockingQueue;

/** Not in the paper: a lock for each end, and a node allocated for every element. */
final class LinkedBlockingQueueHandoff extends BlockingQueueHandoff {
    LinkedBlockingQueueHandoff(ScalingSetup setup) {
        super(new LinkedBlockingQueue<>(setup.capacity()), setup);
    }
}
