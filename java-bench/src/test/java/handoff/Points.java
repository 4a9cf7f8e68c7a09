package handoff;

import static org.junit.jupiter.api.Assertions.assertThrows;

import handoff.input.BadInput;
import handoff.input.Parameter;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Trial;
import handoff.study.StudyBenchmark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Points of a study, written as words {@code name=value}; a later word replaces an earlier one. */
public final class Points {
    private Points() {}

    /** Returns the benchmark, with these parameters. */
    public static <B extends StudyBenchmark> B set(B benchmark, String words) {
        Map<String, String> point = new HashMap<>();
        for (String word : words.strip().split(" +")) {
            String[] pair = word.split("=", 2);
            point.put(pair[0], pair[1]);
        }
        Parameter.set(benchmark, point);
        return benchmark;
    }

    /** Returns the message with which a point is refused on this machine. */
    public static String refusal(StudyBenchmark benchmark, String words) {
        return assertThrows(BadInput.class, () -> set(benchmark, words).plan(Topology.here()))
                .getMessage();
    }

    /** Plans one producer and {@code threads} - 1 consumers. */
    public static Plan plan(Placement placement, Topology machine, int threads) {
        return placement.plan(machine, Plan.roles(1, threads - 1));
    }

    public static Trial trial(Placement placement, List<String> roles) {
        return new Trial(placement.plan(Topology.here(), roles));
    }
}
