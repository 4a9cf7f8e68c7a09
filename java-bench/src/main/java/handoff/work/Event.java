package handoff.work;

/** The object that is handed over: one number, its place in the producer's order. */
public final class Event {
    public long value;

    public Event(long value) {
        this.value = value;
    }
}
