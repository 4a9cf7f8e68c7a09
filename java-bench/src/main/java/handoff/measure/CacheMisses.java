package handoff.measure;

import handoff.machine.PerfCounter;
import handoff.machine.PerfCounter.Event;
import java.util.List;
import java.util.Optional;

/** The cache misses of a shot's workers, where the machine counts them. */
public final class CacheMisses {
    private final List<Optional<PerfCounter>> counters;
    private Optional<Double> before = Optional.empty();

    /** Opens a counter for every member but the first, which only starts the others. */
    public CacheMisses(List<ThreadTeam.Member> members) {
        counters = members.stream()
                .skip(1)
                .map(member -> PerfCounter.open(Event.CACHE_MISSES, member.tid()))
                .toList();
    }

    /** Starts counting; call before the clocks. */
    public void start() {
        before = sum();
    }

    /**
     * Returns the misses since {@link #start}, null when any thread's are not counted; call after
     * the clocks.
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
