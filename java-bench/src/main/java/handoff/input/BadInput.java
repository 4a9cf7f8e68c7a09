package handoff.input;

/** A user's mistake, described in one sentence; {@code cli.Main} prints it and exits with 2. */
public class BadInput extends RuntimeException {
    public BadInput(String sentence) {
        super(sentence);
    }

    /** A valid request that this machine cannot fulfil. */
    public static final class NotOnThisMachine extends BadInput {
        public NotOnThisMachine(String sentence) {
            super(sentence);
        }
    }
}
