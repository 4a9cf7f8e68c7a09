package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where a JVM's own threads go when it was left isolated CPUs: the kernel does not balance these,
 * so that collector and compilers would all stay on the one where the JVM began, which may be a
 * consumer's.
 *
 * @param cpus the JVM starts there
 * @param allowed the CPUs that the threads were planned on, for {@link Topology#ALLOWED}
 * @param processors what the JVM is to take for the number of its CPUs, so that it makes as many
 *     threads as it would have
 */
public record Housekeeping(List<Integer> cpus, String allowed, int processors) {

    /**
     * Null where no thread was planned on an isolated CPU of this process's mask.
     *
     * @throws BadInput.NotOnThisMachine when all CPUs are isolated
     */
    public static Housekeeping of(Topology machine, Plan plan) {
        List<Integer> isolated = ids(machine, cpu -> cpu.usable() && cpu.isolated());
        if (plan.threads().stream().noneMatch(slot -> isolated.contains(slot.cpu()))) {
            return null;
        }
        List<Integer> here = ids(machine, cpu -> cpu.usable() && !cpu.isolated());
        List<Integer> others = ids(machine, cpu -> cpu.online() && !cpu.isolated());
        if (others.isEmpty()) {
            throw new BadInput.NotOnThisMachine("All CPUs are isolated: the JVM's own threads"
                    + " would share one with the threads that are measured.");
        }
        return new Housekeeping(
                here.isEmpty() ? others : here,
                machine.usable(),
                ids(machine, Cpu::usable).size());
    }

    private static List<Integer> ids(Topology machine, Predicate<Cpu> wanted) {
        return machine.cpus().stream().filter(wanted).map(Cpu::id).toList();
    }
}
