package handoff.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
            assertEquals(Work.expected(event), new Work(order, Sort.TODAY, 1).process(event));
            assertEquals(Work.expected(event), new Work(order, Sort.DUAL_PIVOT, 15).process(event));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Order.class,
            names = {"DESCENDING", "SHUFFLED"})
    void unsortedNumbersAreNoticed(Order order) {
        assertNotEquals(Work.expected(3), new Work(order, Sort.TODAY, 0).process(3));
    }

    /** Few values give equal samples, many give different ones. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20, 1_000_000})
    void theSortOfJdk7And8SortsLikeTheOneOfToday(int values) {
        Random random = new Random(values);
        for (int length = 0; length < 286; length++) {
            int[] numbers = random.ints(length, 0, values).toArray();
            int[] expected = numbers.clone();
            Arrays.sort(expected);
            Sort.DUAL_PIVOT.sort(numbers);
            assertArrayEquals(expected, numbers);
        }
    }
}
