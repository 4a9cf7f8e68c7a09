package handoff.scaling;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * How the consumer's 100 consecutive numbers lie before the first sort. The later sorts of an event
 * always find them sorted. The paper does not say; ascending is its literal reading.
 */
public enum Order {
    ASCENDING {
        @Override
        int[] fresh(long event) {
            int[] numbers = new int[Work.NUMBERS];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = i;
            }
            return numbers;
        }
    },
    DESCENDING {
        @Override
        int[] fresh(long event) {
            int[] numbers = new int[Work.NUMBERS];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = numbers.length - 1 - i;
            }
            return numbers;
        }
    },
    /**
     * Event i gets a copy of permutation i modulo 256, so that a branch predictor has much to
     * learn.
     */
    SHUFFLED {
        private final int[][] permutations = permutations(new Random(2015));

        @Override
        int[] fresh(long event) {
            return permutations[(int) event & 255].clone();
        }
    };

    /** A new array for this event: garbage for the young generation, as in the paper. */
    abstract int[] fresh(long event);

    private static int[][] permutations(Random random) {
        int[][] permutations = new int[256][];
        for (int p = 0; p < permutations.length; p++) {
            int[] numbers = IntStream.range(0, Work.NUMBERS).toArray();
            for (int i = numbers.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                int swapped = numbers[i];
                numbers[i] = numbers[j];
                numbers[j] = swapped;
            }
            permutations[p] = numbers;
        }
        return permutations;
    }
}
