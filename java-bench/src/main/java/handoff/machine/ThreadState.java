package handoff.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's record of one thread of this process, with counts since its start.
 *
 * @param mask CPUs it may run on, such as {@code 3} or {@code 0-5}
 * @param voluntary times it gave up its CPU to wait
 * @param involuntary times the kernel took its CPU away
 * @param migrations times it changed its CPU; null on kernels that do not report it
 */
public record ThreadState(
        int tid, String mask, int lastCpu, long voluntary, long involuntary, Long migrations) {
    private static final Path PROC = Path.of("/proc");

    /**
     * Position of {@code processor} (field 39) among the words after the thread's name (field 2).
     */
    private static final int PROCESSOR = 39 - 3;

    /**
     * @throws UncheckedIOException without /proc
     */
    public static ThreadState ofCaller() {
        try {
            return of(Integer.parseInt(Files.readSymbolicLink(PROC.resolve("thread-self"))
                    .getFileName()
                    .toString()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * @throws UncheckedIOException when no such thread lives in this process
     */
    public static ThreadState of(int tid) {
        try {
            Path task = PROC.resolve("self/task/" + tid);
            String status = Files.readString(task.resolve("status"));
            String stat = Files.readString(task.resolve("stat"));
            // A thread's name may hold spaces and brackets; what follows the last bracket does not.
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new ThreadState(
                    tid,
                    field(status, "Cpus_allowed_list"),
                    Integer.parseInt(words[PROCESSOR]),
                    Long.parseLong(field(status, "voluntary_ctxt_switches")),
                    Long.parseLong(field(status, "nonvoluntary_ctxt_switches")),
                    migrations(task));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Returns the state of a thread that has not run yet. */
    public static ThreadState unborn(int tid) {
        return new ThreadState(tid, "", 0, 0, 0, 0L);
    }

    /** Returns the number of migrations since {@code earlier}; null when unknown. */
    public Long migrationsSince(ThreadState earlier) {
        return migrations == null || earlier.migrations == null
                ? null
                : migrations - earlier.migrations;
    }

    /** Returns null on kernels without this file, which are built without scheduler debugging. */
    private static Long migrations(Path task) throws IOException {
        Path sched = task.resolve("sched");
        if (!Files.isReadable(sched)) {
            return null;
        }
        return Files.readString(sched)
                .lines()
                .filter(line -> line.startsWith("se.nr_migrations"))
                .findFirst()
                .map(line -> Long.valueOf(line.substring(line.indexOf(':') + 1).strip()))
                .orElse(null);
    }

    private static String field(String status, String key) {
        return status.lines()
                .filter(line -> line.startsWith(key + ":"))
                .findFirst()
                .map(line -> line.substring(key.length() + 1).strip())
                .orElseThrow();
    }
}
