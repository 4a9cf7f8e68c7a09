package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kinds of core by several signs; NeighboursTest has the order of CPUs. */
class CpuKindsTest {
    private static final String FREQUENCY = "cpufreq/cpuinfo_max_freq";

    @TempDir
    Path root;

    /** Returns an ARM processor's /proc/cpuinfo. */
    private static String parts(String... parts) {
        return IntStream.range(0, parts.length)
                .mapToObj(cpu -> "processor\t: " + cpu + "\nCPU part\t: " + parts[cpu] + "\n\n")
                .collect(Collectors.joining());
    }

    @Test
    void aSlowerGroupOfAUnitIsAKind() {
        // Meteor Lake: two performance, four efficiency, and two low-power efficiency cores.
        Topology machine = FakeMachine.of(root, 1, 1, 8, 1)
                .put("sys/devices/cpu_core/cpus", "0-1")
                .put("sys/devices/cpu_atom/cpus", "2-7")
                .putEach(0, 1, FREQUENCY, "4800000")
                .putEach(2, 5, FREQUENCY, "3800000")
                .putEach(6, 7, FREQUENCY, "2500000")
                .topology();
        assertEquals(List.of("core", "atom", "atom 2500 MHz"), machine.kinds());
        assertEquals("atom 2500 MHz", machine.cpus().get(6).kind());
    }

    @Test
    void favouredCoresOfAUnitAreNotAKind() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .put("sys/devices/cpu_core/cpus", "0-1")
                .put("sys/devices/cpu_atom/cpus", "2-3")
                .putEach(0, 0, FREQUENCY, "5800000")
                .putEach(1, 1, FREQUENCY, "5500000")
                .putEach(2, 3, FREQUENCY, "4300000");
        assertEquals(List.of("core", "atom"), machine.topology().kinds());
    }

    @Test
    void theTwoDiesOfARyzen7950X3DAreAlike() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 16, 1)
                .putEach(0, 7, FREQUENCY, "5259000")
                .putEach(8, 15, FREQUENCY, "5759000");
        assertEquals(List.of(), machine.topology().kinds());
    }

    @Test
    void designsOfOneFrequencyAreKinds() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .putEach(0, 3, FREQUENCY, "1800000")
                .put("proc/cpuinfo", parts("0xd05", "0xd05", "0xd0b", "0xd0b"));
        assertEquals(List.of("part 0xd0b", "part 0xd05"), machine.topology().kinds());
        assertEquals(List.of(2, 3, 0, 1), machine.cpus(PlacementRule.COMPACT, 4));
    }

    @Test
    void theFasterDesignComesFirst() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .putEach(0, 1, "cpu_capacity", "1024")
                .putEach(2, 2, "cpu_capacity", "740")
                .putEach(3, 3, "cpu_capacity", "500")
                .put("proc/cpuinfo", parts("0xd85", "0xd85", "0xd87", "0xd87"));
        assertEquals(
                List.of("part 0xd85", "part 0xd87", "part 0xd87 capacity 500"),
                machine.topology().kinds());
    }

    @Test
    void aPartThatOneCpuLacksIsUnknownForAll() {
        FakeMachine machine = FakeMachine.of(root, 1, 1, 4, 1)
                .put("proc/cpuinfo", parts("0xd05", "0xd0b", "0xd0b"));
        assertEquals(List.of(), machine.topology().kinds());
    }

    @Test
    void theGreatestFrequencyThatFitsIsRead() {
        FakeMachine machine =
                FakeMachine.of(root, 1, 1, 4, 1).putEach(0, 3, FREQUENCY, "" + Integer.MAX_VALUE);
        assertEquals(List.of(), machine.topology().kinds());
    }
}
