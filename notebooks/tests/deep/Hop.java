import handoff.measure.Line;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import net.openhft.affinity.Affinity;

/** What hop.c does, by the jar's own line: {@code Hop FIRST SECOND HOPS}. */
final class Hop {
    public static void main(String[] words) throws Exception {
        long hops = Long.parseLong(words[2]);
        Line line = new Line();
        Semaphore begin = new Semaphore(0);
        Semaphore end = new Semaphore(0);
        Thread other = new Thread(() -> {
            Affinity.setAffinity(Integer.parseInt(words[1]));
            while (true) {
                begin.acquireUninterruptibly();
                line.rally(hops, false);
                end.release();
            }
        });
        other.setDaemon(true);
        other.start();
        Affinity.setAffinity(Integer.parseInt(words[0]));
        while (System.in.read() >= 0) {
            begin.release();
            System.out.printf(Locale.ROOT, "%.2f%n", line.rally(hops, true));
            end.acquire();
        }
    }
}
