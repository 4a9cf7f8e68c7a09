package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class PinTest {
    private static <T> T onAThread(java.util.function.Supplier<T> body) {
        return CompletableFuture.supplyAsync(body, task -> new Thread(task).start())
                .join();
    }

    @Test
    void aPinnedThreadIsWhereItWasAsked() {
        int cpu = Placement.COMPACT
                .plan(Topology.read(Path.of("/")), 1)
                .threads()
                .get(0)
                .cpu();
        ThreadState state = onAThread(() -> {
            assertEquals("" + cpu, Pin.to(new Plan.Slot("producer", cpu, null, null, false)));
            return ThreadState.ofCaller();
        });
        assertEquals("" + cpu, state.mask());
        assertEquals(cpu, state.lastCpu());
    }

    @Test
    void anImpossibleCpuThrows() {
        Plan.Slot nowhere = new Plan.Slot("producer", 1000, null, null, false);
        assertThrows(CompletionException.class, () -> onAThread(() -> Pin.to(nowhere)));
    }

    @Test
    void anUnpinnedThreadTellsItsMask() {
        String mask = onAThread(() -> Pin.to(new Plan.Slot("producer", null, null, null, false)));
        assertEquals(onAThread(() -> ThreadState.ofCaller().mask()), mask);
    }

    @Test
    void movingToAnotherCpuIsAMigration() {
        int[] cpus = Placement.COMPACT.plan(Topology.read(Path.of("/")), 2).threads().stream()
                .mapToInt(Plan.Slot::cpu)
                .toArray();
        Long migrations = onAThread(() -> {
            Pin.to(new Plan.Slot("producer", cpus[0], null, null, false));
            ThreadState first = ThreadState.ofCaller();
            Pin.to(new Plan.Slot("producer", cpus[1], null, null, false));
            return ThreadState.ofCaller().migrationsSince(first);
        });
        // On one CPU there is nowhere to go; kernels without scheduler debugging do not tell.
        assertTrue(migrations == null || migrations == (cpus[0] == cpus[1] ? 0 : 1));
    }

    @Test
    void processCpuTimeGrowsWithWork() {
        ProcessCpu before = ProcessCpu.read();
        long until = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        ProcessCpu used = ProcessCpu.read().minus(before);
        assertTrue(used.userNs() + used.systemNs() > 0);
    }
}
