package handoff.measure;

import handoff.machine.PerfCounter;
import handoff.machine.PerfCounter.Event;
import java.util.List;
import java.util.Optional;

/** The sum of one kernel event over threads of a shot, where the machine counts it. */
public final class EventCount {
    private final List<Optional<PerfCounter>> counters;
    private Optional<Double> before = Optional.empty();

    /** Opens a counter for every member. */
    public EventCount(Event event, List<ThreadTeam.Member> members) {
        counters = members.stream()
                .map(member -> PerfCounter.open(event, member.tid()))
                .toList();
    }

    /** Starts counting; call before the clocks. */
    public void start() {
        before = sum();
    }

    /**
     * Returns the count since {@link #start}, null when any thread's is unknown; call after the
     * clocks.
     */
    public Double stop() {
        Optional<Double> since = sum().flatMap(now -> before.map(then -> now - then));
        counters.forEach(counter -> counter.ifPresent(PerfCounter::close));
        return since.orElse(null);
    }

    private Optional<Double> sum() {
        double sum = 0;
        for (Optional<PerfCounter> counter : counters) {
            Optional<Double> count = counter.flatMap(PerfCounter::read);
            if (count.isEmpty()) {
                return Optional.empty();
            }
            sum += count.get();
        }
        return Optional.of(sum);
    }
}
