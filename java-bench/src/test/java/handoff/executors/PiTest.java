package handoff.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The series, and the check of its sum. */
class PiTest {
    private static final int TERMS = 100;

    /** The number of tasks and the digits of the post, on one thread. */
    @Test
    void theSumHasTheDigitsOfThePost() {
        double sum = IntStream.range(0, 1_000_000)
                .mapToDouble(slice -> Pi.slice(slice, TERMS))
                .sum();
        assertEquals(3.14159264359, sum, 5e-12);
        assertEquals(sum, Pi.expected(100_000_000), Pi.TOLERANCE);
    }

    @Test
    void theExpectedSumEqualsThatOfTheTerms() {
        for (int terms : new int[] {100, 101, 1_000, 99_999}) {
            assertEquals(Pi.slice(0, terms), Pi.expected(terms), 1e-11, terms + " terms");
        }
    }

    @Test
    void aWrongSumIsNoticed() {
        PiJob job = new PiJob(TERMS, Reduction.ADDER, List.of(), false);
        IntStream.range(0, 1_000).forEach(slice -> job.reduce(Pi.slice(slice, TERMS)));
        job.verify(1_000);
        job.reduce(1e-9);
        assertThrows(IllegalStateException.class, () -> job.verify(1_000));
        job.reduce(Double.NaN);
        assertThrows(IllegalStateException.class, () -> job.verify(1_000));
    }
}
