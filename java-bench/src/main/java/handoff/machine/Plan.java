package handoff.machine;

import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The CPU of each thread of a shot.
 *
 * @param threads in the order of their {@link #roles}
 */
public record Plan(List<Slot> threads) {

    /**
     * One thread's CPU; see {@link Topology.Cpu} for core, socket, node, cache and kind.
     *
     * @param cpu null when unpinned, as are the next five; each of those is also null when unknown
     * @param oversubscribed whether it shares its physical core, or the container's CPU quota, with
     *     another thread
     */
    public record Slot(
            String role,
            Integer cpu,
            Integer core,
            Integer socket,
            Integer node,
            Integer cache,
            String kind,
            boolean oversubscribed) {

        /** Returns the slot of a thread that the kernel schedules freely. */
        public static Slot unpinned(String role, boolean oversubscribed) {
            return new Slot(role, null, null, null, null, null, null, oversubscribed);
        }

        /**
         * Returns the slot of a thread on {@code cpu}, unpinned if null; {@code taken} has one CPU
         * per thread.
         */
        static Slot of(String role, Cpu cpu, List<Cpu> taken, boolean crowded) {
            if (cpu == null) {
                return unpinned(role, crowded);
            }
            long onSameCore =
                    taken.stream().filter(other -> Cores.same(cpu, other)).count();
            return new Slot(
                    role,
                    cpu.id(),
                    cpu.core(),
                    cpu.socket(),
                    cpu.node(),
                    cpu.cache(),
                    cpu.kind(),
                    crowded || onSameCore > 1);
        }
    }

    /**
     * Returns this plan with an unpinned thread in front that starts the others and sleeps until
     * they are done, on no core.
     */
    public Plan behindStarter() {
        Slot starter = Slot.unpinned("starter", false);
        return new Plan(Stream.concat(Stream.of(starter), threads.stream()).toList());
    }

    /**
     * Returns the names of a shot's threads: the producers, numbered from 1 when there are several,
     * then the consumers.
     */
    public static List<String> roles(int producers, int consumers) {
        List<String> first = producers == 1 ? List.of("producer") : counted("producer", producers);
        return Stream.concat(first.stream(), counted("consumer", consumers).stream())
                .toList();
    }

    /** Returns {@code role-1} to {@code role-number}. */
    public static List<String> counted(String role, int number) {
        return IntStream.rangeClosed(1, number).mapToObj(i -> role + "-" + i).toList();
    }
}
