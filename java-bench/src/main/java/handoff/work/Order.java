package handoff.work;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * Order of the consumer's 100 consecutive numbers before the first sort; later sorts of the same
 * event find them sorted. The paper does not state it; ascending is the literal reading.
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
     * Event i gets a copy of permutation i modulo 256, which is more than a branch predictor
     * learns easily.
     */
    SHUFFLED {
        private final int[][] permutations = permutations(new Random(2015));

        @Override
        int[] fresh(long event) {
            return permutations[(int) event & 255].clone();
        }
    };

    /** Returns a new array for this event: garbage for the young generation, as in the paper. */
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
