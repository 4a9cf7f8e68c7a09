package handoff.scaling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkTest {
    @ParameterizedTest
    @EnumSource(Order.class)
    void everyArrayIsFreshAndHoldsTheSameHundredNumbers(Order order) {
        int[] numbers = order.fresh(7);
        assertNotSame(numbers, order.fresh(7));
        Arrays.sort(numbers);
        assertArrayEquals(IntStream.range(0, 100).toArray(), numbers);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void theChecksumOfAnEventDoesNotDependOnTheNumberOfSorts(Order order) {
        for (long event : new long[] {0, 1, 63, 64, 1_000_000_007L}) {
            assertEquals(Work.expected(event), new Work(order, 1).process(event));
            assertEquals(Work.expected(event), new Work(order, 15).process(event));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Order.class,
            names = {"DESCENDING", "SHUFFLED"})
    void unsortedNumbersAreNoticed(Order order) {
        assertNotEquals(Work.expected(3), new Work(order, 0).process(3));
    }

    @ParameterizedTest
    @EnumSource(Element.class)
    void theChecksumCountsEveryEvent(Element element) {
        assertNotEquals(element.checksum(1000, 64), element.checksum(999, 64));
    }
}
