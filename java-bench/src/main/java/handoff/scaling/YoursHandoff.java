package handoff.scaling;

import handoff.work.Event;
import handoff.work.EventConsumer;
import handoff.yours.OwnClass;
import handoff.yours.Watchdog;

/** The user's class, from outside the jar. */
final class YoursHandoff extends ExchangeHandoff {
    private final ScalingSetup setup;

    YoursHandoff(ScalingSetup setup) {
        super(OwnClass.<Event>open(setup.capacity()), setup);
        this.setup = setup;
    }

    @Override
    public void publish(long events) throws InterruptedException {
        Watchdog watchdog = new Watchdog(this::seen, OwnClass.name());
        try {
            super.publish(events);
        } finally {
            watchdog.close();
        }
    }

    private long seen() {
        return setup.consumers().stream().mapToLong(EventConsumer::seen).sum();
    }
}
