package handoff.machine;

import java.util.BitSet;
import net.openhft.affinity.Affinity;

/**
 * Pins the calling thread to a CPU and reads its mask back. {@code Affinity.setAffinity} is the
 * only library call used: the library's locks silently pick another CPU when the requested one is
 * taken.
 */
public final class Pin {
    private Pin() {}

    /**
     * Pins the calling thread to its slot's CPU; does nothing when the slot has none.
     *
     * @return the CPUs that the kernel now allows, as a list such as {@code 3} or {@code 0-5}
     * @throws IllegalStateException when the kernel refuses, or allows other CPUs
     */
    public static String to(Plan.Slot slot) {
        if (slot.cpu() == null) {
            return ThreadState.ofCaller().mask();
        }
        BitSet only = new BitSet();
        only.set(slot.cpu());
        Affinity.setAffinity(only);
        String mask = ThreadState.ofCaller().mask();
        if (!mask.equals(slot.cpu().toString())) {
            throw new IllegalStateException("%s: expected CPU %s, but the kernel allows CPUs %s."
                    .formatted(slot.role(), slot.cpu(), mask));
        }
        return mask;
    }
}
