package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.function.Predicate;

/**
 * The CPUs of the JVM's own threads when measured threads use isolated CPUs. The kernel does not
 * balance those, so that collector and compilers would all stay on the CPU where the JVM started,
 * which may be a consumer's.
 *
 * @param cpus where the JVM starts
 * @param allowed the CPUs available to the plan, for {@link Topology#ALLOWED}
 * @param processors the CPU count that the JVM assumes, so that it creates as many threads as usual
 */
public record Housekeeping(List<Integer> cpus, String allowed, int processors) {

    /**
     * Returns null unless a thread is planned on an isolated CPU of this process's mask.
     *
     * @throws BadInput.NotOnThisMachine when all CPUs are isolated
     */
    public static Housekeeping of(Topology machine, Plan plan) {
        List<Integer> isolated = ids(machine, cpu -> cpu.usable() && cpu.isolated());
        if (plan.threads().stream().noneMatch(slot -> isolated.contains(slot.cpu()))) {
            return null;
        }
        List<Integer> usable = ids(machine, cpu -> cpu.usable() && !cpu.isolated());
        List<Integer> unisolated = ids(machine, cpu -> cpu.online() && !cpu.isolated());
        if (unisolated.isEmpty()) {
            throw new BadInput.NotOnThisMachine("All CPUs are isolated: the JVM's own threads"
                    + " would share one with the measured threads.");
        }
        return new Housekeeping(
                usable.isEmpty() ? unisolated : usable,
                machine.usable(),
                ids(machine, Cpu::usable).size());
    }

    private static List<Integer> ids(Topology machine, Predicate<Cpu> wanted) {
        return machine.cpus().stream().filter(wanted).map(Cpu::id).toList();
    }
}
