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

    private ExactlyOnce check(Expected expected) {
        return new ExactlyOnce(List.of(one, two), expected, Duration.ofMillis(200));
    }

    @BeforeEach
    void consumeThree() {
        one.add(10);
        two.add(20);
        two.add(30);
    }

    @Test
    void threeEventsOnce() {
        assertDoesNotThrow(() -> check(Expected.shared(3, 60)).await(() -> null));
        assertDoesNotThrow(() -> check(Expected.shared(3, 60)).verify());
    }

    @Test
    void aLostEventEndsTheWait() {
        IllegalStateException lost = assertThrows(
                IllegalStateException.class, () -> check(Expected.shared(4, 60)).await(() -> null));
        assertTrue(lost.getMessage().startsWith("Only 3 of 4 events"));
    }

    @Test
    void anEventConsumedTwiceFailsTheVerification() {
        one.add(10);
        assertThrows(
                IllegalStateException.class, () -> check(Expected.shared(3, 60)).verify());
    }

    @Test
    void oneLostAndOneRepeatedDoNotCancelOut() {
        assertThrows(
                IllegalStateException.class, () -> check(Expected.shared(3, 61)).verify());
    }

    @Test
    void aFailedConsumerEndsTheWaitAtOnce() {
        assertDoesNotThrow(() ->
                check(Expected.shared(4, 60)).await(() -> new RuntimeException("consumer died")));
    }

    @Test
    void oneConsumerCannotStandInForAnotherThatMustSeeEveryEvent() {
        assertThrows(
                IllegalStateException.class,
                () -> check(Expected.each(2, List.of(10L, 50L))).verify());
        one.add(5);
        assertDoesNotThrow(() -> check(Expected.each(2, List.of(15L, 50L))).verify());
        IllegalStateException wrong = assertThrows(
                IllegalStateException.class,
                () -> check(Expected.each(2, List.of(50L, 15L))).verify());
        assertTrue(wrong.getMessage().startsWith("consumer-1: "), wrong.getMessage());
    }
}
