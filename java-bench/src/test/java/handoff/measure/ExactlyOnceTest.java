package handoff.measure;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExactlyOnceTest {
    private final Tally one = new Tally();
    private final Tally two = new Tally();
    private final ExactlyOnce check = new ExactlyOnce(List.of(one, two), Duration.ofMillis(200));

    @BeforeEach
    void consumeThree() {
        one.add(10);
        two.add(20);
        two.add(30);
    }

    @Test
    void threeEventsOnce() {
        assertDoesNotThrow(() -> check.await(3, () -> null));
        assertDoesNotThrow(() -> check.verify(3, 60));
    }

    @Test
    void aLostEventEndsTheWait() {
        IllegalStateException lost = assertThrows(IllegalStateException.class, () -> check.await(4, () -> null));
        assertTrue(lost.getMessage().startsWith("Only 3 of 4 events"));
    }

    @Test
    void anEventConsumedTwiceIsSeenAfterwards() {
        one.add(10);
        assertThrows(IllegalStateException.class, () -> check.verify(3, 60));
    }

    @Test
    void oneLostAndOneRepeatedDoNotCancelOut() {
        assertThrows(IllegalStateException.class, () -> check.verify(3, 61));
    }

    @Test
    void aFailedConsumerEndsTheWaitAtOnce() {
        assertDoesNotThrow(() -> check.await(4, () -> new RuntimeException("consumer died")));
    }
}
