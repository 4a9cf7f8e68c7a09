package handoff.yours;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One's own class is the one that was named, and hammering finds what is grossly wrong. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class YoursTest {
    private static final String PROPERTY = "handoff.yours";

    private static void give(String word) {
        System.setProperty(PROPERTY, word);
    }

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void nothingIsFoundInARightOne() {
        give(RightExchange.WORD);
        assertNull(Hammer.find(OwnClass::open));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Unbounded | it takes more than 2 items
                    Small     | it has no room for 2 items
                    Twice     | was due and 500 came
                    Impatient | a take that must wait does not
                    """)
    void aWrongOneIsFound(String name, String told) {
        give(WrongExchanges.class.getName() + "$" + name + "@" + Digests.OF_NOTHING);
        assertTrue(Hammer.find(OwnClass::open).contains(told));
    }

    @Test
    void whatItsConstructorThrowsIsSaid() {
        give(WrongExchanges.class.getName() + "$Refusing@" + Digests.OF_NOTHING);
        IllegalStateException thrown =
                assertThrows(IllegalStateException.class, () -> OwnClass.open(4));
        assertEquals(
                OwnClass.name() + "(4) threw java.lang.IllegalArgumentException: no",
                thrown.getMessage());
    }

    @Test
    void anotherClassThanWasNamedIsRefused() {
        give(RightExchange.class.getName() + "@" + "0".repeat(64));
        assertTrue(assertThrows(IllegalStateException.class, () -> OwnClass.open(4))
                .getMessage()
                .endsWith("is another class than was asked for."));
    }

    @Test
    void whatIsNoExchangeIsRefused() {
        give(String.class.getName() + "@" + Digests.OF_NOTHING);
        assertThrows(RuntimeException.class, () -> OwnClass.open(4));
        System.clearProperty(PROPERTY);
        assertThrows(IllegalStateException.class, () -> OwnClass.open(4));
    }
}
