package handoff.measure;

import handoff.input.BadInput;
import handoff.machine.JvmFlags;
import handoff.machine.Topology;

/**
 * The garbage collector that a fork must run with. The launcher passes its flags; the fork checks
 * that they match its parameters.
 */
public enum Collector {
    PARALLEL("UseParallelGC", false),
    /** With {@code -XX:+UseNUMA}: the young generation has a part on every node. */
    PARALLEL_NUMA("UseParallelGC", true),
    G1("UseG1GC", false),
    SERIAL("UseSerialGC", false),
    /** As the JVM's default has it: with generations from JDK 23 on. */
    ZGC("UseZGC", false);

    private final String flag;
    private final boolean numa;

    Collector(String flag, boolean numa) {
        this.flag = flag;
        this.numa = numa;
    }

    /**
     * @throws IllegalStateException when this JVM runs another collector
     */
    public void verify() {
        boolean usesNuma = JvmFlags.isOn("UseNUMA");
        if (!JvmFlags.isOn(flag) || usesNuma != numa) {
            throw new IllegalStateException(
                    "collector=%s: this JVM runs %s %s -XX:+UseNUMA; the fork needs -XX:+%s%s."
                            .formatted(
                                    this,
                                    Evidence.collectorNames(),
                                    usesNuma ? "with" : "without",
                                    flag,
                                    numa ? " -XX:+UseNUMA" : ""));
        }
    }

    /**
     * @throws BadInput.NotOnThisMachine when the JVM would turn the flag off again
     */
    public void check(Topology machine) {
        if (numa && machine.nodes().size() < 2) {
            throw new BadInput.NotOnThisMachine(
                    "collector=%s: expected 2 or more NUMA nodes, got %s."
                            .formatted(this, machine.nodes().size()));
        }
    }
}
