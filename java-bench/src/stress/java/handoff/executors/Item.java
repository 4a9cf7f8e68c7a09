package handoff.executors;

/** What is handed over: its field is not volatile, so it must become visible with the item. */
final class Item {
    private int number;

    Item(int number) {
        this.number = number;
    }

    /** 0 for none. */
    static int of(Item polled) {
        return polled == null ? 0 : polled.number;
    }
}
