package handoff.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A container's limit on CPU time, in CPUs: the tightest one from this process's group up to the
 * root, in control groups of version 2 (also mounted as {@code unified}) or version 1.
 */
final class Quota {
    private static final String GROUPS = "sys/fs/cgroup/";

    private Quota() {}

    /** Returns the limit; empty when nothing limits the process or nothing can be read. */
    static Optional<Double> read(SysFiles files) {
        String membership = files.text("proc/self/cgroup").orElse("0::/");
        return membership
                .lines()
                .flatMap(line -> limits(files, line).stream())
                // A quota or a period of 0 limits nothing.
                .filter(limit -> limit > 0 && limit < Double.POSITIVE_INFINITY)
                .min(Double::compare);
    }

    private static List<Double> limits(SysFiles files, String line) {
        String[] parts = line.split(":", 3);
        if (parts.length < 3 || !parts[2].startsWith("/")) {
            return List.of();
        }
        List<Double> limits = new ArrayList<>();
        boolean version2 = parts[1].isEmpty();
        boolean version1 = List.of(parts[1].split(",")).contains("cpu");
        for (Path group = Path.of(parts[2]); group != null; group = group.getParent()) {
            String path = group.toString().substring(1);
            if (version2) {
                List.of("", "unified/")
                        .forEach(mount -> limit2(files, mount + path).ifPresent(limits::add));
            } else if (version1) {
                List.of("cpu/", "cpu,cpuacct/")
                        .forEach(mount -> limit1(files, mount + path).ifPresent(limits::add));
            }
        }
        return limits;
    }

    private static Optional<Double> limit2(SysFiles files, String group) {
        return files.text(GROUPS + group + "/cpu.max")
                .map(text -> text.split("\\s+"))
                .filter(words -> words.length == 2 && !words[0].equals("max"))
                .map(words -> (double) Long.parseLong(words[0]) / Long.parseLong(words[1]));
    }

    private static Optional<Double> limit1(SysFiles files, String group) {
        Optional<Long> quota = files.amount(GROUPS + group + "/cpu.cfs_quota_us");
        Optional<Long> period = files.amount(GROUPS + group + "/cpu.cfs_period_us");
        return quota.flatMap(q -> period.map(p -> (double) q / p));
    }
}
