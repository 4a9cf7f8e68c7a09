package handoff;

import static org.junit.jupiter.api.Assertions.assertThrows;

import handoff.input.BadInput;
import handoff.machine.Topology;
import handoff.study.StudyRules;
import java.util.HashMap;
import java.util.Map;

/** Points of a study, written as words {@code name=value}; a later word replaces an earlier one. */
public final class Points {
    private Points() {}

    public static Map<String, String> point(String words) {
        Map<String, String> point = new HashMap<>();
        for (String word : words.strip().split(" +")) {
            String[] pair = word.split("=", 2);
            point.put(pair[0], pair[1]);
        }
        return point;
    }

    /** Returns the message with which the rules refuse a point on this machine. */
    public static String refusal(StudyRules rules, String words) {
        return assertThrows(BadInput.class, () -> rules.plan(point(words), Topology.here()))
                .getMessage();
    }
}
