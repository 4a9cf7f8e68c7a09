package handoff.work;

/**
 * Quicksort with two pivots, as published by Yaroslavskiy (2009) and tuned with Bentley and Bloch,
 * with the thresholds of JDK 7 and 8 for arrays of fewer than 286 numbers: no search for runs.
 *
 * <pre>
 *   two pivots p &lt; q:      │ less than p │ from p to q │ not yet seen │ more than q │
 *                          left          less          next         more       right
 * </pre>
 *
 * <p>A part is leftmost if it starts at the first number of the array. Every other part has on its
 * left a number that is at most as large as its own, which ends each search to the left.
 */
final class DualPivotQuicksort {
    private static final int INSERTION_SORT_BELOW = 47;

    private DualPivotQuicksort() {}

    /** Sorts all numbers in place; allocates nothing. */
    static void sort(int[] numbers) {
        sort(numbers, 0, numbers.length - 1, true);
    }

    /** Sorts the numbers from {@code left} to {@code right}, both included. */
    private static void sort(int[] numbers, int left, int right, boolean leftmost) {
        if (right - left + 1 >= INSERTION_SORT_BELOW) {
            split(numbers, left, right, leftmost);
        } else if (leftmost) {
            sortByInsertion(numbers, left, right);
        } else {
            sortByPairs(numbers, left, right);
        }
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

    /**
     * Sorts a part that is not leftmost: skips the numbers that ascend already, then inserts two at
     * a time, the larger first; the smaller continues from where the larger stopped.
     */
    private static void sortByPairs(int[] numbers, int left, int right) {
        int next = left + 1;
        while (next <= right && numbers[next] >= numbers[next - 1]) {
            next++;
        }
        if (next > right) {
            return;
        }
        for (; next < right; next += 2) {
            int larger = numbers[next];
            int smaller = numbers[next + 1];
            if (larger < smaller) {
                smaller = larger;
                larger = numbers[next + 1];
            }
            int place = next - 1;
            while (numbers[place] > larger) {
                numbers[place + 2] = numbers[place];
                place--;
            }
            numbers[place + 2] = larger;
            while (numbers[place] > smaller) {
                numbers[place + 1] = numbers[place];
                place--;
            }
            numbers[place + 1] = smaller;
        }
        // The last number has no partner, or is in its place and stays there.
        int last = numbers[right];
        int place = right;
        while (numbers[place - 1] > last) {
            numbers[place] = numbers[place - 1];
            place--;
        }
        numbers[place] = last;
    }

    /**
     * Splits by two samples, and sorts the outer parts, then the centre.
     *
     * <p>One long method: a compiler would inline shorter ones into themselves, and the time of a
     * sort would then differ by half from one JVM to the next.
     */
    @SuppressWarnings("checkstyle:MethodLength")
    private static void split(int[] numbers, int left, int right, boolean leftmost) {
        int length = right - left + 1;
        int seventh = (length >> 3) + (length >> 6) + 1;
        int middle = (left + right) >>> 1;
        sortSamples(numbers, middle, seventh);
        if (!samplesDiffer(numbers, middle, seventh)) {
            splitByOnePivot(numbers, left, right, leftmost, numbers[middle]);
            return;
        }
        int low = numbers[middle - seventh];
        int high = numbers[middle + seventh];
        // The pivots wait at the ends: what stood there takes their places.
        numbers[middle - seventh] = numbers[left];
        numbers[middle + seventh] = numbers[right];
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
                if (next == more) {
                    more--;
                    break;
                }
                int other = numbers[more];
                if (other < low) {
                    numbers[next] = numbers[less];
                    numbers[less++] = other;
                } else {
                    numbers[next] = other;
                }
                numbers[more--] = number;
            }
        }
        numbers[left] = numbers[less - 1];
        numbers[less - 1] = low;
        numbers[right] = numbers[more + 1];
        numbers[more + 1] = high;
        sort(numbers, left, less - 2, leftmost);
        sort(numbers, more + 2, right, false);
        if (less < middle - 2 * seventh && more > middle + 2 * seventh) {
            sortLargeCentre(numbers, less, more);
        } else {
            sort(numbers, less, more, false);
        }
    }

    /** Sorts five samples, each {@code step} from the next. */
    private static void sortSamples(int[] numbers, int middle, int step) {
        int second = middle - step;
        int fourth = middle + step;
        order(numbers, second, step);
        if (order(numbers, middle, step)) {
            order(numbers, second, step);
        }
        if (order(numbers, fourth, step) && order(numbers, middle, step)) {
            order(numbers, second, step);
        }
        if (order(numbers, fourth + step, step)
                && order(numbers, fourth, step)
                && order(numbers, middle, step)) {
            order(numbers, second, step);
        }
    }

    /** Exchanges a sample with the one before it if that is larger; returns whether it was. */
    private static boolean order(int[] numbers, int place, int step) {
        int number = numbers[place];
        int before = numbers[place - step];
        if (number >= before) {
            return false;
        }
        numbers[place] = before;
        numbers[place - step] = number;
        return true;
    }

    private static boolean samplesDiffer(int[] numbers, int middle, int step) {
        return numbers[middle - 2 * step] != numbers[middle - step]
                && numbers[middle - step] != numbers[middle]
                && numbers[middle] != numbers[middle + step]
                && numbers[middle + step] != numbers[middle + 2 * step];
    }

    /** Sorts a centre of more than 4/7 of the length: numbers that equal a pivot first leave it. */
    private static void sortLargeCentre(int[] numbers, int left, int right) {
        int low = numbers[left - 1];
        int high = numbers[right + 1];
        int less = left;
        while (numbers[less] == low) {
            less++;
        }
        int more = right;
        while (numbers[more] == high) {
            more--;
        }
        for (int next = less; next <= more; next++) {
            int number = numbers[next];
            if (number == low) {
                numbers[next] = numbers[less];
                numbers[less++] = number;
            } else if (number == high) {
                while (numbers[more] == high && next < more) {
                    more--;
                }
                if (next == more) {
                    more--;
                    break;
                }
                int other = numbers[more];
                if (other == low) {
                    numbers[next] = numbers[less];
                    numbers[less++] = other;
                } else {
                    numbers[next] = other;
                }
                numbers[more--] = number;
            }
        }
        sort(numbers, less, more, false);
    }

    /** Splits into less than, equal to and more than the pivot; sorts the outer parts. */
    private static void splitByOnePivot(
            int[] numbers, int left, int right, boolean leftmost, int pivot) {
        int less = left;
        int more = right;
        for (int next = left; next <= more; next++) {
            int number = numbers[next];
            if (number == pivot) {
                continue;
            }
            if (number < pivot) {
                numbers[next] = numbers[less];
                numbers[less++] = number;
            } else {
                while (numbers[more] > pivot && next < more) {
                    more--;
                }
                if (next == more) {
                    more--;
                    break;
                }
                int other = numbers[more];
                if (other < pivot) {
                    numbers[next] = numbers[less];
                    numbers[less++] = other;
                } else {
                    numbers[next] = other;
                }
                numbers[more--] = number;
            }
        }
        sort(numbers, left, less - 1, leftmost);
        sort(numbers, more + 1, right, false);
    }
}
