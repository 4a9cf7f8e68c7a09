package handoff.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/** Counts comparisons of numbers and moves, which are writes to the array, in its byte code. */
class DualPivotQuicksortTest {
    private static final List<Integer> COMPARISONS = List.of(
            Opcodes.IF_ICMPEQ,
            Opcodes.IF_ICMPNE,
            Opcodes.IF_ICMPLT,
            Opcodes.IF_ICMPGE,
            Opcodes.IF_ICMPGT,
            Opcodes.IF_ICMPLE);

    private static final List<Integer> ALLOCATIONS = List.of(
            Opcodes.NEW,
            Opcodes.NEWARRAY,
            Opcodes.ANEWARRAY,
            Opcodes.MULTIANEWARRAY,
            Opcodes.INVOKEDYNAMIC);

    private record Counts(int comparisons, int moves) {}

    /** What the instrumented class calls. */
    public static final class Counter {
        private static int comparisons;
        private static int moves;

        private Counter() {}

        public static void addComparison() {
            comparisons++;
        }

        public static void addMove() {
            moves++;
        }
    }

    /** An int that was read from an array, and so no index. */
    private static final class Read extends BasicValue {
        Read() {
            super(Type.INT_TYPE);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Read;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    private static final class Interpreter extends BasicInterpreter {
        Interpreter() {
            super(Opcodes.ASM9);
        }

        @Override
        public BasicValue binaryOperation(
                AbstractInsnNode instruction, BasicValue first, BasicValue second)
                throws AnalyzerException {
            return instruction.getOpcode() == Opcodes.IALOAD
                    ? new Read()
                    : super.binaryOperation(instruction, first, second);
        }
    }

    private static ClassNode read() throws IOException {
        ClassNode node = new ClassNode();
        try (InputStream code =
                DualPivotQuicksort.class.getResourceAsStream("DualPivotQuicksort.class")) {
            new ClassReader(code).accept(node, 0);
        }
        return node;
    }

    private static void instrument(String owner, MethodNode method) throws AnalyzerException {
        Frame<BasicValue>[] frames = new Analyzer<>(new Interpreter()).analyze(owner, method);
        AbstractInsnNode[] instructions = method.instructions.toArray();
        for (int i = 0; i < instructions.length; i++) {
            int code = instructions[i].getOpcode();
            if (code == Opcodes.IASTORE) {
                method.instructions.insertBefore(instructions[i], call("addMove"));
            } else if (COMPARISONS.contains(code) && comparesNumbers(frames[i])) {
                method.instructions.insertBefore(instructions[i], call("addComparison"));
            }
        }
    }

    private static boolean comparesNumbers(Frame<BasicValue> frame) {
        int size = frame.getStackSize();
        return frame.getStack(size - 1) instanceof Read || frame.getStack(size - 2) instanceof Read;
    }

    private static MethodInsnNode call(String name) {
        return new MethodInsnNode(
                Opcodes.INVOKESTATIC, Type.getInternalName(Counter.class), name, "()V");
    }

    /** Sorts a part with an instrumented copy of the class. */
    private static Counts count(int[] numbers, int left, int right, boolean leftmost)
            throws Exception {
        ClassNode node = read();
        for (MethodNode method : node.methods) {
            instrument(node.name, method);
        }
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        Class<?> copy = new ClassLoader(DualPivotQuicksortTest.class.getClassLoader()) {
            Class<?> define(byte[] code) {
                return defineClass(null, code, 0, code.length);
            }
        }.define(writer.toByteArray());
        Method sort =
                copy.getDeclaredMethod("sort", int[].class, int.class, int.class, boolean.class);
        sort.setAccessible(true);
        int[] expected = numbers.clone();
        Arrays.sort(expected);
        Counter.comparisons = 0;
        Counter.moves = 0;
        sort.invoke(null, numbers, left, right, leftmost);
        assertArrayEquals(expected, numbers);
        return new Counts(Counter.comparisons, Counter.moves);
    }

    private static Counts countAll(int... numbers) throws Exception {
        return count(numbers, 0, numbers.length - 1, true);
    }

    /** The part that begins after a first number, which ends searches. */
    private static Counts countInner(int... numbers) throws Exception {
        return count(numbers, 1, numbers.length - 1, false);
    }

    /** Each number but the first is compared with the one before it, and written back. */
    @Test
    void fiveAscendingNumbersAreComparedFourTimes() throws Exception {
        assertEquals(new Counts(4, 4), countAll(1, 2, 3, 4, 5));
    }

    /** Number i of 1 to 4 is compared with all i before it, which move, and is then written. */
    @Test
    void fiveDescendingNumbersMoveAllTheWay() throws Exception {
        assertEquals(new Counts(1 + 2 + 3 + 4, 2 + 3 + 4 + 5), countAll(5, 4, 3, 2, 1));
    }

    @Test
    void anInnerPartThatAscendsIsOnlyRead() throws Exception {
        assertEquals(new Counts(2, 0), countInner(0, 1, 2, 3));
    }

    /**
     * The prefix is 4: 1 comparison. Of the pair 3, 2, compared once, 3 passes 4 and stops at 0: 2
     * comparisons; 2 stops there, too: 1; three moves. The last, 1, passes 4, 3 and 2 and stops at
     * 0: 4 comparisons, 4 moves.
     */
    @Test
    void anInnerPartInsertsPairsAndThenTheLast() throws Exception {
        assertEquals(new Counts(1 + 1 + 2 + 1 + 4, 3 + 4), countInner(0, 4, 3, 2, 1));
    }

    /**
     * As above, but the smaller comes first in the pair, and no number is left: the last is
     * compared once more, and written where it is.
     */
    @Test
    void anInnerPartWithoutALastNumberLooksAtItAgain() throws Exception {
        assertEquals(new Counts(1 + 1 + 2 + 1 + 1, 3 + 1), countInner(0, 3, 1, 2));
    }

    /**
     * A seventh is 6, the samples are at 11 to 35: 4 comparisons for their order, 4 for their being
     * different. The pivots are 17 and 29; 2 moves free their places. From the left 17 numbers are
     * less, and the 18th is not; from the right as many are more. The 11 between are compared with
     * both pivots. 4 moves bring the pivots back. The left part is 17 numbers (16 comparisons, 16
     * moves), the right one 17 (16), the centre 11 (10): not more than 4/7.
     */
    @Test
    void fortySevenAscendingNumbersHaveASmallCentre() throws Exception {
        assertEquals(
                new Counts(4 + 4 + 18 + 18 + 2 * 11 + 16 + 16 + 10, 2 + 4 + 16),
                countAll(IntStream.range(0, 47).toArray()));
    }

    /** As above: a seventh is 14, the pivots are 35 and 63, and the parts 35, 36 and 27 numbers. */
    @Test
    void aHundredAscendingNumbersAreComparedAtMostThreeTimesEach() throws Exception {
        assertEquals(
                new Counts(4 + 4 + 36 + 37 + 2 * 27 + 34 + 35 + 26, 2 + 4 + 34),
                countAll(IntStream.range(0, 100).toArray()));
    }

    /**
     * The samples are 5, 10, 20, 30, 40, all others 20, but for another 10 and another 30.
     *
     * <p>First split: samples 4 + 4, pivots 2 moves; both searches stop at once, 1 + 1. Of the 44
     * numbers seen, 42 are between the pivots (2 comparisons each), 5 is less (1, and 2 moves), and
     * 40 is more (2, then 1 + 1 for the number that it changes places with, and 2 moves). 4 moves
     * bring the pivots back; the outer parts are one number each.
     *
     * <p>The centre is 43 numbers, from 2 to 44, beyond the samples at 11 and 35. Again both
     * searches stop at once; of the 42 numbers seen, 40 equal no pivot (2 each), 10 does (1, and 2
     * moves), and so does 30 (2, then 1 + 1, and 2 moves). What is left is 41 equal numbers: 40.
     */
    @Test
    void numbersThatEqualAPivotLeaveALargeCentre() throws Exception {
        int[] numbers = new int[47];
        Arrays.fill(numbers, 20);
        numbers[3] = 10;
        numbers[11] = 5;
        numbers[17] = 10;
        numbers[29] = 30;
        numbers[35] = 40;
        numbers[41] = 30;
        int split = 4 + 4 + 2 + 2 * 42 + 1 + 4;
        int centre = 2 + 2 * 40 + 1 + 4 + 40;
        assertEquals(new Counts(split + centre, 2 + 4 + 4 + 4), countAll(numbers));
    }

    /** No instruction allocates, and no method of another class is called. */
    @Test
    void nothingIsAllocated() throws IOException {
        ClassNode node = read();
        for (MethodNode method : node.methods) {
            if (method.name.equals("<init>")) {
                continue;
            }
            for (AbstractInsnNode instruction : method.instructions) {
                assertEquals(-1, ALLOCATIONS.indexOf(instruction.getOpcode()), method.name);
                if (instruction instanceof MethodInsnNode call) {
                    assertEquals(node.name, call.owner, method.name);
                }
            }
        }
    }
}
