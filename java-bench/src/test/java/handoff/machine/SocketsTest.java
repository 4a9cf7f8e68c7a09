package handoff.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.input.BadInput;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Placements over several sockets, and places in domains. */
class SocketsTest {
    @TempDir
    Path root;

    @Test
    void paperLeavesALargeSocketAtTheSeventhThread() {
        Topology machine = FakeMachine.of(root, 2, 4, 16, 2).topology();
        assertEquals(List.of(0), sockets(Points.plan(PlacementRule.PAPER, machine, 6)));
        assertEquals(List.of(0, 1), sockets(Points.plan(PlacementRule.PAPER, machine, 7)));
        assertEquals(
                List.of(0, 1, 2, 3, 4, 5, 64, 65, 66, 67, 68, 69),
                FakeMachine.of(root, 2, 4, 16, 2).cpus(PlacementRule.PAPER, 12));
    }

    @Test
    void paperFillsASocketNodeByNode() {
        FakeMachine machine = FakeMachine.of(root, 2, 2, 4, 1);
        assertEquals(
                List.of(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13),
                machine.cpus(PlacementRule.PAPER, 12));
    }

    @ParameterizedTest
    @CsvSource({"1, 12, 12", "2, 5, 10", "2, 8, 13"})
    void paperIsCompactWithoutTwoSocketsOfSixCoresAndBeyondTwelveThreads(
            int sockets, int cores, int threads) {
        FakeMachine machine = FakeMachine.of(root, sockets, 1, cores, 1);
        assertEquals(
                machine.cpus(PlacementRule.COMPACT, threads),
                machine.cpus(PlacementRule.PAPER, threads));
    }

    @Test
    void scatterAlternatesBetweenSocketsThatHaveSeveralNodes() {
        FakeMachine machine = FakeMachine.of(root, 2, 2, 2, 1);
        assertEquals(List.of(0, 4, 1, 5), machine.cpus(PlacementRule.SCATTER, 4));
    }

    @Test
    void theThirdNodeIsNearestToBothBefore() {
        FakeMachine machine = FakeMachine.of(root, 4, 1, 2, 1);
        String nodes = "sys/devices/system/node/node";
        machine.put(nodes + "0/distance", "10 16 16 16").put(nodes + "1/distance", "16 10 22 16");
        assertEquals(List.of(0, 1, 2, 3, 6, 7), machine.cpus(PlacementRule.COMPACT, 6));
    }

    @Test
    void placesInDomainsAreValidOnManyMachines() {
        FakeMachine machine = FakeMachine.of(root, 2, 1, 8, 2);
        assertEquals(List.of(0, 1, 8, 9), machine.cpus(Placement.named("S0:0-1@S1:0-1"), 4));
        assertEquals(List.of(8, 24), machine.cpus(Placement.named("M1:0@M1:8"), 2));
    }

    @Test
    void aDomainThatThisMachineDoesNotHaveIsNoMistakeElsewhere() {
        Topology machine = FakeMachine.of(root, 1, 1, 4, 1).topology();
        BadInput refusal = assertThrows(
                BadInput.NotOnThisMachine.class,
                () -> Points.plan(Placement.named("S0:0@S1:0"), machine, 2));
        assertEquals(
                "placement=S0:0@S1:0: S1:0 needs 1 usable CPUs, and this machine shows 0 there.",
                refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "S0:3-1, counts down",
        "S0:0@M0:0, listed twice",
        "CPUS_3-1, : 3-1 counts down",
        "CPUS_1_0-2, CPU 1 is listed twice"
    })
    void aChoiceThatContradictsItselfIsAMistakeEverywhere(String word, String sentence) {
        Topology machine = FakeMachine.of(root, 1, 1, 4, 1).topology();
        BadInput mistake =
                assertThrows(BadInput.class, () -> Points.plan(Placement.named(word), machine, 4));
        assertFalse(mistake instanceof BadInput.NotOnThisMachine);
        assertTrue(mistake.getMessage().contains(sentence), mistake.getMessage());
    }

    private static List<Integer> sockets(Plan plan) {
        return plan.threads().stream().map(Plan.Slot::socket).distinct().toList();
    }
}
