package handoff.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CrewTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private static Crew crew(int threads) {
        return new Crew(Placement.UNPINNED.plan(Topology.read(Path.of("/")), threads), SHORT);
    }

    @Test
    void membersComeInThePlansOrder() throws InterruptedException {
        Crew crew = crew(3);
        for (int i = 0; i < 2; i++) {
            crew.newThread(() -> {
                crew.ready();
                LockSupport.park();
            }).start();
        }
        crew.awaitReady();
        assertEquals(List.of("producer", "consumer-1", "consumer-2"),
            crew.members().stream().map(member -> member.slot().role()).toList());
        crew.dismiss(() -> { });
    }

    @Test
    void aThreadThatIsNeverReadyEndsTheWait() {
        Crew crew = crew(2);
        assertThrows(IllegalStateException.class, crew::awaitReady);
    }

    @Test
    void aThreadThatCannotBePinnedIsNamed() {
        Plan.Slot here = new Plan.Slot("producer", null, null, null, false);
        Plan.Slot nowhere = new Plan.Slot("consumer-1", 1000, null, null, false);
        Crew crew = new Crew(new Plan(Placement.COMPACT, List.of(here, nowhere), new TreeSet<>()), SHORT);
        crew.newThread(crew::ready).start();
        assertThrows(IllegalStateException.class, crew::awaitReady);
        assertTrue(crew.failure().getMessage().contains("sched_setaffinity"), crew.failure().getMessage());
    }

    @Test
    void aThreadThatSwallowsInterruptsIsReported() throws InterruptedException {
        Crew crew = crew(2);
        CountDownLatch release = new CountDownLatch(1);
        crew.newThread(() -> {
            crew.ready();
            while (release.getCount() > 0) {
                Thread.onSpinWait();
            }
        }).start();
        crew.awaitReady();
        IllegalStateException stuck = assertThrows(IllegalStateException.class, () -> crew.dismiss(() -> { }));
        assertTrue(stuck.getMessage().startsWith("consumer-1 did not end"));
        release.countDown();
    }
}
