package handoff.ring;

import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import java.util.List;

/**
 * What a mechanism is made from.
 *
 * @param threads of a pool: not the starter
 * @param work Monte-Carlo iterations at each hop
 * @param tallies one for each token, or for each of the two tasks
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
    /** Of each token. */
    long hops() {
        return events / tallies.size();
    }
}
