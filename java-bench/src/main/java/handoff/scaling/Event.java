package handoff.scaling;

/** The object that is handed over: one number, its place in the producer's order. */
final class Event {
    long value;

    Event(long value) {
        this.value = value;
    }
}
