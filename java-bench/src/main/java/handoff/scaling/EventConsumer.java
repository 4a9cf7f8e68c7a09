package handoff.scaling;

import handoff.measure.Tally;

/** The body that every mechanism runs for every event, the sequential one included. */
class EventConsumer {
    private final Work work;
    private final Tally tally;

    EventConsumer(Work work, Tally tally) {
        this.work = work;
        this.tally = tally;
    }

    /** How many it has had, as far as another thread can see. */
    long seen() {
        return tally.count();
    }

    void accept(Event event) {
        tally.add(work.process(event.value));
    }
}
