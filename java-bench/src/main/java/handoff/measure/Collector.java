package handoff.measure;

import handoff.input.BadInput;
import handoff.machine.JvmFlags;
import handoff.machine.Topology;

/**
 * The garbage collector that a fork must run with. The launcher passes its flags; the fork checks
 * that they match its parameters.
 */
public enum Collector {
    PARALLEL("PS Scavenge", false, "-XX:+UseParallelGC"),
    /** With {@code -XX:+UseNUMA}: the young generation has a part on every node. */
    PARALLEL_NUMA("PS Scavenge", true, "-XX:+UseParallelGC -XX:+UseNUMA"),
    G1("G1 Young Generation", false, "-XX:+UseG1GC"),
    SERIAL("Copy", false, "-XX:+UseSerialGC");

    private final String young;
    private final boolean numa;
    private final String flags;

    Collector(String young, boolean numa, String flags) {
        this.young = young;
        this.numa = numa;
        this.flags = flags;
    }

    /**
     * @throws IllegalStateException when this JVM runs another collector
     */
    public void verify() {
        boolean usesNuma = JvmFlags.isOn("UseNUMA");
        if (!Evidence.collectorNames().contains(young) || usesNuma != numa) {
            throw new IllegalStateException(
                    "collector=%s: this JVM runs %s %s -XX:+UseNUMA; the fork needs %s."
                            .formatted(
                                    this,
                                    Evidence.collectorNames(),
                                    usesNuma ? "with" : "without",
                                    flags));
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
