package handoff.ring;

import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import java.util.List;

/**
 * The parts of a mechanism.
 *
 * @param threads of a pool, without the starter
 * @param work Monte-Carlo iterations per hop
 * @param tallies one per token, or per task
 */
record RingSetup(
        int threads,
        int nodes,
        long events,
        int work,
        GeneratorSharing generator,
        Serialisation serialisation,
        List<Tally> tallies,
        ThreadTeam team) {
    /** Returns the hops of each token. */
    long hops() {
        return events / tallies.size();
    }
}
