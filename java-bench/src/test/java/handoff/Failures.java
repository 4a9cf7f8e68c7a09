package handoff;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Asserts why a shot fails: a mechanism that cannot be opened fails too. */
public final class Failures {
    private Failures() {}

    /** Asserts that the shot throws and that the message contains {@code reason}. */
    public static void assertFails(String reason, Executable shot) {
        String message = assertThrows(RuntimeException.class, shot).getMessage();
        assertTrue(message.contains(reason), message);
    }
}
