package handoff.machine;

import handoff.Points;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * A fake machine: a tree of /sys and /proc files, written from a description or unpacked from a
 * capture.
 */
record FakeMachine(Path root) {

    /**
     * Creates {@code sockets} sockets of {@code nodesPerSocket} nodes of {@code cores} cores of
     * {@code smt} CPUs. CPUs are numbered node by node, all first siblings before all second ones.
     */
    static FakeMachine of(Path root, int sockets, int nodesPerSocket, int cores, int smt) {
        FakeMachine machine = new FakeMachine(root);
        int nodes = sockets * nodesPerSocket;
        int physical = nodes * cores;
        machine.put("sys/devices/system/cpu/present", "0-" + (physical * smt - 1));
        machine.put("sys/devices/system/cpu/online", "0-" + (physical * smt - 1));
        for (int cpu = 0; cpu < physical * smt; cpu++) {
            int core = cpu % physical;
            String topology = "sys/devices/system/cpu/cpu" + cpu + "/topology/";
            machine.put(topology + "thread_siblings_list", every(core, physical, smt));
            machine.put(topology + "physical_package_id", "" + core / cores / nodesPerSocket);
        }
        for (int node = 0; node < nodes; node++) {
            int first = node * cores;
            String cpus = IntStream.range(0, smt)
                    .mapToObj(
                            s -> (s * physical + first) + "-" + (s * physical + first + cores - 1))
                    .collect(Collectors.joining(","));
            machine.put("sys/devices/system/node/node" + node + "/cpulist", cpus);
        }
        return machine;
    }

    private static String every(int first, int step, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "" + (first + i * step))
                .collect(Collectors.joining(","));
    }

    /** Unpacks a machine of src/test/resources/machines. */
    static FakeMachine captured(Path root, String name) throws IOException {
        InputStream packed = Objects.requireNonNull(
                FakeMachine.class.getResourceAsStream("/machines/" + name + ".tar.xz"));
        try (var tar = new TarArchiveInputStream(
                new XZCompressorInputStream(new BufferedInputStream(packed)))) {
            for (TarArchiveEntry entry = tar.getNextEntry();
                    entry != null;
                    entry = tar.getNextEntry()) {
                Path target = root.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    if (entry.isSymbolicLink()) {
                        Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                    } else {
                        Files.write(target, tar.readAllBytes());
                    }
                }
            }
        }
        return new FakeMachine(root);
    }

    FakeMachine put(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Writes the same file for each of these CPUs. */
    FakeMachine putEach(int first, int last, String file, String text) {
        IntStream.rangeClosed(first, last)
                .forEach(cpu -> put("sys/devices/system/cpu/cpu" + cpu + "/" + file, text));
        return this;
    }

    /** Adds a data cache that these CPUs share. */
    FakeMachine share(int level, int first, int last) {
        String cache = "cache/index" + level + "/";
        return putEach(first, last, cache + "level", "" + level)
                .putEach(first, last, cache + "type", "Unified")
                .putEach(first, last, cache + "shared_cpu_list", first + "-" + last);
    }

    FakeMachine allow(String cpus) {
        return put("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t" + cpus);
    }

    Topology topology() {
        return Topology.read(root);
    }

    /** Returns the CPUs of a plan, in thread order. */
    java.util.List<Integer> cpus(Placement placement, int threads) {
        return Points.plan(placement, topology(), threads).threads().stream()
                .map(Plan.Slot::cpu)
                .toList();
    }
}
