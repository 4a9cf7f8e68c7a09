package handoff.scaling;

import static handoff.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import handoff.Points;
import handoff.mechanism.Wait;
import handoff.work.Shots;
import handoff.yours.RightExchange;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contracts of every mechanism. */
@Timeout(60)
class MechanismTest {
    private static final int CAPACITY = 64;

    @BeforeAll
    static void nameTheUsersClass() {
        System.setProperty("handoff.yours", RightExchange.WORD);
    }

    @AfterAll
    static void forgetTheUsersClass() {
        System.clearProperty("handoff.yours");
    }

    static Stream<Arguments> cases() {
        return Stream.of(ScalingMechanism.values())
                .flatMap(mechanism -> Stream.of(Wait.values())
                        .filter(wait -> wait != Wait.BUSY_SPIN)
                        .filter(wait ->
                                wait == Wait.YIELDING || mechanism.parameters().contains("wait"))
                        .flatMap(wait -> IntStream.of(1, 2, 5, 11)
                                .filter(n -> n == 1 || mechanism != ScalingMechanism.SEQUENTIAL)
                                .mapToObj(n -> Arguments.of(mechanism, wait, n))));
    }

    private static Shots shots(ScalingMechanism mechanism, Wait wait, int consumers) {
        return new Shots(
                Points.set(
                                new ScalingBenchmark(),
                                "mechanism=" + mechanism + " consumers=" + consumers)
                        .roles(),
                consumers,
                5_000,
                (bodies, team) -> mechanism.open(
                        new ScalingSetup(bodies, CAPACITY, wait, Element.NEW, team)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyEventIsConsumedExactlyOnce(ScalingMechanism mechanism, Wait wait, int consumers) {
        shots(mechanism, wait, consumers).assertExactlyOnce();
    }

    @ParameterizedTest
    @EnumSource(ScalingMechanism.class)
    void aConsumerThatThrowsFailsTheShotAndNothingHangs(ScalingMechanism mechanism) {
        assertFails("on purpose", shots(mechanism, Wait.YIELDING, 1)::fireWithAFailure);
    }

    @ParameterizedTest
    @EnumSource(ScalingMechanism.class)
    void anEventProcessedWronglyFailsTheShot(ScalingMechanism mechanism) {
        assertFails(
                "lost, repeated or processed wrongly",
                shots(mechanism, Wait.YIELDING, 1)::fireWithAWrongResult);
    }

    @ParameterizedTest
    @EnumSource(Element.class)
    void theChecksumCountsEveryEvent(Element element) {
        assertNotEquals(element.checksum(1000, 64), element.checksum(999, 64));
    }

    @Test
    void aRingAsksForAPowerOfTwoInItsOwnName() {
        ScalingBenchmark point =
                Points.set(new ScalingBenchmark(), "mechanism=JCTOOLS_SPMC capacity=1000");
        assertFails(
                "capacity=1000: JCTOOLS_SPMC needs a power of two, such as 512 or 1024.",
                point::check);
    }

    /**
     * A worker that starts late must still end. Rings that were halted before all processors ran
     * once broke this.
     */
    @ParameterizedTest
    @EnumSource(
            value = ScalingMechanism.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = "SEQUENTIAL")
    void tinyShotsWithManyThreadsEnd(ScalingMechanism mechanism) {
        for (int i = 0; i < 30; i++) {
            assertDoesNotThrow(shots(mechanism, Wait.YIELDING, 11)::fire);
        }
    }
}
