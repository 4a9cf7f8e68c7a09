package handoff.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.machine.Topology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ThreadTeamTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private static ThreadTeam team(int threads) {
        return new ThreadTeam(Points.plan(PlacementRule.UNPINNED, Topology.here(), threads), SHORT);
    }

    @Test
    void membersComeInThePlansOrder() throws InterruptedException {
        ThreadTeam team = team(3);
        for (int i = 0; i < 2; i++) {
            team.newThread(() -> {
                        team.ready();
                        LockSupport.park();
                    })
                    .start();
        }
        team.awaitReady();
        assertEquals(
                List.of("producer", "consumer-1", "consumer-2"),
                team.members().stream().map(member -> member.slot().role()).toList());
        team.shutDown(() -> {});
    }

    @Test
    void aThreadThatIsNeverReadyEndsTheWait() {
        ThreadTeam team = team(2);
        assertThrows(IllegalStateException.class, team::awaitReady);
    }

    @Test
    void aThreadThatCannotBePinnedIsNamed() {
        Plan.Slot unpinned = Plan.Slot.unpinned("producer", false);
        Plan.Slot nowhere = new Plan.Slot("consumer-1", 1000, null, null, null, null, null, false);
        ThreadTeam team = new ThreadTeam(new Plan(List.of(unpinned, nowhere)), SHORT);
        team.newThread(team::ready).start();
        assertThrows(IllegalStateException.class, team::awaitReady);
        assertTrue(
                team.failure().getMessage().contains("sched_setaffinity"),
                team.failure().getMessage());
    }

    @Test
    void aThreadThatSwallowsInterruptsIsReported() throws InterruptedException {
        ThreadTeam team = team(2);
        CountDownLatch release = new CountDownLatch(1);
        team.newThread(() -> {
                    team.ready();
                    while (release.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                })
                .start();
        team.awaitReady();
        IllegalStateException stuck =
                assertThrows(IllegalStateException.class, () -> team.shutDown(() -> {}));
        assertTrue(stuck.getMessage().startsWith("consumer-1 did not end"));
        release.countDown();
    }
}
