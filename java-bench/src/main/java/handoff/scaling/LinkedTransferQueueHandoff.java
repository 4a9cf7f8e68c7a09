package handoff.scaling;

import java.util.concurrent.LinkedTransferQueue;

/**
 * Not in the paper: lock-free and unbounded, so that the producer never waits and the heap holds
 * all elements that the consumers have not taken yet.
 */
final class LinkedTransferQueueHandoff extends ExchangeHandoff {
    LinkedTransferQueueHandoff(ScalingSetup setup) {
        super(new LinkedTransferQueue<>(), setup);
    }
}
