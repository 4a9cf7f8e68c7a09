package handoff.measure;

import com.google.gson.GsonBuilder;
import handoff.machine.JvmFlags;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A fork's measurements that JMH does not report, written once, at the fork's end, to {@code
 * evidence.json} in the fork's temporary folder; data/columns.md describes the keys.
 *
 * @param nsPerSort one sort of a sorted {@code int[100]}, nanoseconds: the core's speed, in every
 *     study
 * @param nsPerEventCreated creating one event, nanoseconds; null in a study without such a load
 * @param heapPagesByNode NUMA node to pages of the heap; null where the kernel does not report them
 * @param warmUp the shots before the first that counts; null without a warm-up
 */
public record Evidence(
        Jvm jvm,
        Clock clock,
        Double nsPerSort,
        Double nsPerEventCreated,
        Map<Integer, Long> heapPagesByNode,
        WarmUp warmUp,
        List<Shot> shots) {

    /**
     * One timed execution. User and system time are the process's, {@code gcNs} has steps of 1 ms,
     * {@code compilerNs} is {@link handoff.machine.CompilerCpu}'s, and {@link Findings} has the
     * last three.
     */
    public record Shot(
            long events,
            String checksum,
            long wallNs,
            long userNs,
            long sysNs,
            long gcNs,
            Long compilerNs,
            List<ThreadShot> threads,
            Hops hops,
            Map<String, Double> measures,
            Map<String, double[][]> curves,
            Map<String, Double[][]> matrices) {}

    /**
     * The cost of a hop just before a shot, from the first thread's CPU to the nearest and to the
     * farthest, null where it was not timed within the probe's limit; see {@link HopProbe}.
     */
    public record Hops(int nearCpu, Double nearNs, int farCpu, Double farNs) {}

    /**
     * The shots before the first that counts, of {@code events} events each, and whether the fork
     * had then settled; see {@link WarmUpRule}.
     */
    public record WarmUp(
            double limitSeconds,
            boolean settled,
            long events,
            List<Long> wallNs,
            List<Long> compilerNs) {}

    /**
     * One thread during one shot: its {@link handoff.machine.Plan.Slot}, whose CPU is {@code
     * asked}, its CPU time, and its {@link handoff.machine.ThreadState} at the end, with the
     * changes during the shot.
     */
    public record ThreadShot(
            String role,
            Integer asked,
            String mask,
            int lastCpu,
            Integer socket,
            Integer node,
            Integer cache,
            String kind,
            boolean oversubscribed,
            long cpuNs,
            long voluntary,
            long involuntary,
            Long migrations) {}

    /** The JVM that measured; see {@link JvmFlags}. */
    public record Jvm(
            String version,
            String vm,
            List<String> flags,
            Map<String, String> inForce,
            List<String> collectors,
            long maxHeapBytes) {
        static Jvm current() {
            return new Jvm(
                    Runtime.version().toString(),
                    System.getProperty("java.vm.name"),
                    JvmFlags.requested(),
                    JvmFlags.inForce(),
                    collectorNames(),
                    Runtime.getRuntime().maxMemory());
        }
    }

    /** Returns the names of the active collectors, such as {@code PS Scavenge}. */
    public static List<String> collectorNames() {
        TreeSet<String> names = new TreeSet<>();
        ManagementFactory.getGarbageCollectorMXBeans().forEach(bean -> names.add(bean.getName()));
        return List.copyOf(names);
    }

    /**
     * @throws IOException when the folder is full or missing: the fork then fails and is not
     *     counted
     */
    void write(Path file) throws IOException {
        Files.writeString(file, new GsonBuilder().serializeNulls().create().toJson(this));
    }
}
