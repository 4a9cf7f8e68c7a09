package handoff.work;

import handoff.measure.Tally;

/** The code that every mechanism runs for every event, including the sequential one. */
public class EventConsumer {
    private final Work work;
    private final Tally tally;

    public EventConsumer(Work work, Tally tally) {
        this.work = work;
        this.tally = tally;
    }

    /** Returns the number of events consumed, as far as another thread can see. */
    public long seen() {
        return tally.count();
    }

    public void accept(Event event) {
        tally.add(work.process(event.value));
    }
}
