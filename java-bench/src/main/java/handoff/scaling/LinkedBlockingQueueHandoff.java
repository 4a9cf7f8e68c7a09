package handoff.scaling;

import java.util.concurrent.LinkedBlockingQueue;

/** Not in the paper: a lock per end, and a node allocated for every element. */
final class LinkedBlockingQueueHandoff extends ExchangeHandoff {
    LinkedBlockingQueueHandoff(ScalingSetup setup) {
        super(new LinkedBlockingQueue<>(setup.capacity()), setup);
    }
}
