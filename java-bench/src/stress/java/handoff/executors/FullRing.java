package handoff.executors;

/** A ring of four places, full: 1, 2, 3. */
abstract class FullRing {
    final PolledExchange<Item> ring;

    FullRing(PolledExchange<Item> ring) {
        this.ring = ring;
        for (int number = 1; number < 4; number++) {
            ring.offer(new Item(number));
        }
    }
}
