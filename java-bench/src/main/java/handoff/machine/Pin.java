package handoff.machine;

import java.util.BitSet;
import net.openhft.affinity.Affinity;

/**
 * Puts the calling thread on a CPU and proves it. {@code Affinity.setAffinity} is the one call
 * used: the library's locks pick another CPU silently when the asked one is taken.
 */
public final class Pin {
    private Pin() {}

    /**
     * Binds the calling thread to its slot's CPU, or leaves it alone when the slot has none.
     *
     * @return the CPUs that the kernel now allows it, as a list such as {@code 3} or {@code 0-5}
     * @throws IllegalStateException when the kernel refuses, or allows anything else than asked
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
            throw new IllegalStateException(slot.role()
                    + " asked for CPU "
                    + slot.cpu()
                    + ", and the kernel answered with CPUs "
                    + mask
                    + ".");
        }
        return mask;
    }
}
