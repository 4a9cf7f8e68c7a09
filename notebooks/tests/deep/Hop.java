import handoff.measure.Line;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import net.openhft.affinity.Affinity;

/** Does what hop.c does, with the jar's {@link Line}: {@code Hop FIRST SECOND HOPS}. */
final class Hop {
    public static void main(String[] arguments) throws Exception {
        long hops = Long.parseLong(arguments[2]);
        Line line = new Line();
        Semaphore start = new Semaphore(0);
        Semaphore end = new Semaphore(0);
        Thread other = new Thread(() -> {
            Affinity.setAffinity(Integer.parseInt(arguments[1]));
            while (true) {
                start.acquireUninterruptibly();
                line.rally(hops, false);
                end.release();
            }
        });
        other.setDaemon(true);
        other.start();
        Affinity.setAffinity(Integer.parseInt(arguments[0]));
        while (System.in.read() >= 0) {
            start.release();
            System.out.printf(Locale.ROOT, "%.2f%n", line.rally(hops, true));
            end.acquire();
        }
    }
}
