package handoff.work;

/**
 * Dual-pivot quicksort as published by Yaroslavskiy (2009), with the thresholds of JDK 7 and 8 for
 * arrays of fewer than 286 numbers: insertion sort below 47, pivots from five samples, no search
 * for runs.
 *
 * <pre>
 *   two pivots p &lt; q:      │ less than p │ from p to q │ not yet seen │ more than q │
 *                          left          less          next         more       right
 * </pre>
 */
final class DualPivotQuicksort {
    private static final int INSERTION_SORT_BELOW = 47;

    private DualPivotQuicksort() {}

    /** Sorts the numbers from {@code left} to {@code right}, both included. */
    static void sort(int[] numbers, int left, int right) {
        if (right - left + 1 < INSERTION_SORT_BELOW) {
            sortByInsertion(numbers, left, right);
            return;
        }
        int[] samples = sortSamples(numbers, left, right);
        for (int i = 1; i < samples.length; i++) {
            if (numbers[samples[i - 1]] == numbers[samples[i]]) {
                splitInThree(numbers, left, right, numbers[samples[2]]);
                return;
            }
        }
        splitByTwoPivots(numbers, left, right, samples);
    }

    private static void sortByInsertion(int[] numbers, int left, int right) {
        for (int i = left + 1; i <= right; i++) {
            int number = numbers[i];
            int place = i;
            while (place > left && numbers[place - 1] > number) {
                numbers[place] = numbers[place - 1];
                place--;
            }
            numbers[place] = number;
        }
    }

    /** Sorts five numbers about a seventh of the length apart; returns their places. */
    private static int[] sortSamples(int[] numbers, int left, int right) {
        int length = right - left + 1;
        int seventh = (length >> 3) + (length >> 6) + 1;
        int middle = (left + right) >>> 1;
        int[] places = {
            middle - 2 * seventh, middle - seventh, middle, middle + seventh, middle + 2 * seventh
        };
        for (int i = 1; i < places.length; i++) {
            int number = numbers[places[i]];
            int place = i;
            while (place > 0 && numbers[places[place - 1]] > number) {
                numbers[places[place]] = numbers[places[place - 1]];
                place--;
            }
            numbers[places[place]] = number;
        }
        return places;
    }

    /** Splits by the second and the fourth sample, and sorts the three parts. */
    private static void splitByTwoPivots(int[] numbers, int left, int right, int[] samples) {
        int low = numbers[samples[1]];
        int high = numbers[samples[3]];
        // The pivots wait at the ends: what stood there takes their places.
        numbers[samples[1]] = numbers[left];
        numbers[samples[3]] = numbers[right];
        int less = left + 1;
        while (numbers[less] < low) {
            less++;
        }
        int more = right - 1;
        while (numbers[more] > high) {
            more--;
        }
        for (int next = less; next <= more; next++) {
            int number = numbers[next];
            if (number < low) {
                numbers[next] = numbers[less];
                numbers[less++] = number;
            } else if (number > high) {
                while (numbers[more] > high && next < more) {
                    more--;
                }
                numbers[next] = numbers[more];
                numbers[more--] = number;
                if (numbers[next] < low) {
                    number = numbers[next];
                    numbers[next] = numbers[less];
                    numbers[less++] = number;
                }
            }
        }
        numbers[left] = numbers[less - 1];
        numbers[less - 1] = low;
        numbers[right] = numbers[more + 1];
        numbers[more + 1] = high;
        sort(numbers, left, less - 2);
        sort(numbers, less, more);
        sort(numbers, more + 2, right);
    }

    /** Splits into less than, equal to and more than the pivot; sorts the outer parts. */
    private static void splitInThree(int[] numbers, int left, int right, int pivot) {
        int less = left;
        int more = right;
        for (int next = left; next <= more; next++) {
            int number = numbers[next];
            if (number < pivot) {
                numbers[next] = numbers[less];
                numbers[less++] = number;
            } else if (number > pivot) {
                numbers[next--] = numbers[more];
                numbers[more--] = number;
            }
        }
        sort(numbers, left, less - 1);
        sort(numbers, more + 1, right);
    }
}
