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
    /** What {@link Arrays#sort(int[])} of JDK 7 and 8 does with so few numbers. */
    DUAL_PIVOT {
        @Override
        void sort(int[] numbers) {
            DualPivotQuicksort.sort(numbers);
        }
    };

    /** Sorts all numbers in place, in ascending order. */
    abstract void sort(int[] numbers);
}
