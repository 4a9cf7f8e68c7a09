import java.util.List;

/** A JVM that starts another, as JMH does, and neither ends when asked: interrupts are swallowed, termination waits for ever. */
public class Hang {
    public static void main(String[] words) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(Hang::forEver));
        if (words.length == 1) {
            String java = ProcessHandle.current().info().command().orElseThrow();
            new ProcessBuilder(List.of(java, "-Xmx33m", words[0], words[0], "forked")).inheritIO().start();
        }
        System.out.println("hanging");
        Thread.currentThread().interrupt();
        forEver();
    }

    private static void forEver() {
        while (true) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException swallowed) {
                continue;
            }
        }
    }
}
