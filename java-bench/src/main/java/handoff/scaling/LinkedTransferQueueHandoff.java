package handoff.scaling;

import java.util.concurrent.LinkedTransferQueue;

/**
 * Not in the paper: without a lock and unbounded, so its producer never waits, and what it has put
 * ahead of the consumers lies on the heap.
 */
final class LinkedTransferQueueHandoff extends BlockingQueueHandoff {
    LinkedTransferQueueHandoff(ScalingSetup setup) {
        super(new LinkedTransferQueue<>(), setup);
    }
}
