package handoff.scaling;

import static handoff.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import handoff.machine.PlacementRule;
import handoff.measure.Expected;
import handoff.measure.Shot;
import handoff.measure.Tally;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
import handoff.mechanism.Wait;
import handoff.work.Event;
import handoff.work.EventConsumer;
import handoff.work.Order;
import handoff.work.Sort;
import handoff.work.Work;
import handoff.yours.RightExchange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
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
    private static final int EVENTS = 5_000;
    private static final int CAPACITY = 64;
    private static final Work WORK = new Work(Order.SHUFFLED, Sort.TODAY, 1);

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

    private static void shoot(
            ScalingMechanism mechanism,
            Wait wait,
            int consumers,
            Function<Tally, EventConsumer> body) {
        // A separate thread: pinning the test runner would also pin threads that it starts later.
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                Trial trial = new Trial(
                                        PlacementRule.COMPACT,
                                        ScalingRules.roles(mechanism, consumers));
                                Shot shot = trial.shot(
                                        consumers,
                                        EVENTS,
                                        Expected.shared(
                                                EVENTS, Element.NEW.checksum(EVENTS, CAPACITY)));
                                List<EventConsumer> bodies =
                                        shot.tallies().stream().map(body).toList();
                                Handoff handoff = mechanism.open(new ScalingSetup(
                                        bodies, CAPACITY, wait, Element.NEW, shot.team()));
                                shot.ready();
                                shot.start();
                                handoff.publish(EVENTS);
                                shot.finish();
                                trial.close(shot, handoff::stop);
                            } catch (InterruptedException interrupted) {
                                throw new IllegalStateException(interrupted);
                            }
                        },
                        task -> new Thread(task).start())
                .join();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyEventIsConsumedExactlyOnce(ScalingMechanism mechanism, Wait wait, int consumers) {
        AtomicIntegerArray seen = new AtomicIntegerArray(EVENTS);
        shoot(mechanism, wait, consumers, tally -> new EventConsumer(WORK, tally) {
            @Override
            public void accept(Event event) {
                seen.incrementAndGet((int) event.value);
                super.accept(event);
            }
        });
        assertEquals(
                List.of(),
                IntStream.range(0, EVENTS).filter(i -> seen.get(i) != 1).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource(ScalingMechanism.class)
    void aConsumerThatThrowsFailsTheShotAndNothingHangs(ScalingMechanism mechanism) {
        assertFails(
                "on purpose",
                () -> shoot(mechanism, Wait.YIELDING, 1, tally -> new EventConsumer(WORK, tally) {
                    @Override
                    public void accept(Event event) {
                        if (event.value == 100) {
                            throw new IllegalStateException("consumer failed on purpose");
                        }
                        super.accept(event);
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(ScalingMechanism.class)
    void anEventProcessedWronglyFailsTheShot(ScalingMechanism mechanism) {
        assertFails(
                "lost, repeated or processed wrongly",
                () -> shoot(mechanism, Wait.YIELDING, 1, tally -> new EventConsumer(WORK, tally) {
                    @Override
                    public void accept(Event event) {
                        tally.add(event.value == 100 ? 0 : WORK.process(event.value));
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(Element.class)
    void theChecksumCountsEveryEvent(Element element) {
        assertNotEquals(element.checksum(1000, 64), element.checksum(999, 64));
    }

    @Test
    void aRingAsksForAPowerOfTwoInItsOwnName() {
        Map<String, String> point = Map.of("mechanism", "JCTOOLS_SPMC", "capacity", "1000");
        assertFails(
                "capacity=1000: JCTOOLS_SPMC needs a power of two, such as 512 or 1024.",
                () -> new ScalingRules().check(point));
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
            assertDoesNotThrow(() ->
                    shoot(mechanism, Wait.YIELDING, 11, tally -> new EventConsumer(WORK, tally)));
        }
    }
}
