package handoff.work;

import java.util.Arrays;

/** The algorithm of a consumer's sorts. */
public enum Sort {
    /** {@link Arrays#sort(int[])} of this JDK, which may notice that an array is sorted. */
    TODAY {
        @Override
        void sort(int[] numbers) {
            Arrays.sort(numbers);
        }
    },
    /** What {@link Arrays#sort(int[])} did with so few numbers in 2015, in JDK 7 and 8. */
    DUAL_PIVOT {
        @Override
        void sort(int[] numbers) {
            DualPivotQuicksort.sort(numbers, 0, numbers.length - 1);
        }
    };

    /** Sorts all numbers in place, in ascending order. */
    abstract void sort(int[] numbers);
}
