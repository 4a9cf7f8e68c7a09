package handoff.actors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReadyQueueTest {
    @Test
    void aQueueKeepsItsOrderWhenItGrows() {
        ReadyQueue queue = new ReadyQueue();
        assertEquals(ReadyQueue.NONE, queue.poll(1));
        assertEquals(7, queue.exchange(7));
        int next = 0;
        for (int i = 0; i < 200; i++) {
            queue.add(i);
            if (i % 3 == 0) {
                assertEquals(next++, queue.poll(1));
            }
        }
        assertEquals(next++, queue.exchange(200));
        assertEquals(ReadyQueue.NONE, queue.poll(queue.size() + 1));
        while (queue.size() > 0) {
            assertEquals(next++, queue.poll(1));
        }
        assertEquals(201, next);
    }
}
