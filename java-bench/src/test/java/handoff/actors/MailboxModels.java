package handoff.actors;

import org.jetbrains.lincheck.datastructures.Operation;

/**
 * An actor as the model checker sees it: two threads send to it, and both run it when it is ready.
 * Its counts are plain fields, which are correct only if one thread at a time runs it.
 */
final class MailboxModels {
    private MailboxModels() {}

    /** The required result: each message read once, each sender's in order. */
    public static final class Read {
        private int sent;

        public void send(int sender) {
            sent++;
        }

        public void run() {}

        public String rest() {
            return sent + " read, 0 in disorder";
        }
    }

    public abstract static class Model {
        private final ReadyQueue ready = new ReadyQueue();
        private final int[] sent = new int[2];
        private final int[] last = new int[2];
        private int read;
        private int disorder;

        abstract boolean put(int[] message);

        abstract int[] message();

        abstract boolean next();

        @Operation
        public void send(int sender) {
            if (put(new int[] {sender, ++sent[sender]})) {
                ready.add(0);
            }
        }

        @Operation
        public void run() {
            if (ready.poll(1) != ReadyQueue.NONE) {
                turn();
            }
        }

        private void turn() {
            int[] message = message();
            read++;
            if (message[1] != ++last[message[0]]) {
                disorder++;
            }
            if (next()) {
                ready.add(0);
            }
        }

        /** Runs the actor until no message is left. */
        @Operation
        public String rest() {
            while (ready.poll(1) != ReadyQueue.NONE) {
                turn();
            }
            return read + " read, " + disorder + " in disorder";
        }
    }

    public static final class Ours extends Model {
        private final Mailbox<int[]> mailbox = new Mailbox<>();

        @Override
        boolean put(int[] message) {
            return mailbox.put(message);
        }

        @Override
        int[] message() {
            return mailbox.message();
        }

        @Override
        boolean next() {
            return mailbox.next();
        }
    }

    /**
     * A mailbox with an intentional bug: it turns empty after the last message without looking
     * again.
     */
    public static final class Forgetful extends Model {
        private record Letter(int[] message, Letter[] next) {}

        private final java.util.concurrent.atomic.AtomicReference<Letter> newest =
                new java.util.concurrent.atomic.AtomicReference<>();
        private volatile Letter current;

        @Override
        boolean put(int[] message) {
            Letter letter = new Letter(message, new Letter[1]);
            Letter before = newest.getAndSet(letter);
            if (before == null) {
                current = letter;
                return true;
            }
            before.next()[0] = letter;
            return false;
        }

        @Override
        int[] message() {
            return current.message();
        }

        @Override
        boolean next() {
            Letter next = current.next()[0];
            if (next == null) {
                newest.set(null);
                return false;
            }
            current = next;
            return true;
        }
    }
}
