package handoff.scaling;

import java.util.concurrent.LinkedBlockingQueue;

/** Not in the paper: a lock for each end, and a node allocated for every element. */
final class LinkedBlockingQueueHandoff extends BlockingQueueHandoff {
    LinkedBlockingQueueHandoff(Scenario scenario) {
        super(new LinkedBlockingQueue<>(scenario.capacity()), scenario);
    }
}
