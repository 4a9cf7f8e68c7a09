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

/** Checks that only the named class is accepted, and that hammering finds gross faults. */
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
    void nothingIsFoundInACorrectClass() {
        give(RightExchange.WORD);
        assertNull(Hammer.find(OwnClass::open));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Unbounded | it takes more than 2 items
                    Small     | it has no room for 2 items
                    Twice     | got 500
                    Impatient | a take that must wait does not
                    """)
    void aFaultIsFound(String name, String fault) {
        give(WrongExchanges.class.getName() + "$" + name + "@" + Digests.OF_NOTHING);
        assertTrue(Hammer.find(OwnClass::open).contains(fault));
    }

    @Test
    void anExceptionOfTheConstructorIsReported() {
        give(WrongExchanges.class.getName() + "$Refusing@" + Digests.OF_NOTHING);
        IllegalStateException thrown =
                assertThrows(IllegalStateException.class, () -> OwnClass.open(4));
        assertEquals(
                OwnClass.name() + "(4) threw java.lang.IllegalArgumentException: no",
                thrown.getMessage());
    }

    @Test
    void aClassWithAnotherDigestIsRefused() {
        give(RightExchange.class.getName() + "@" + "0".repeat(64));
        assertTrue(assertThrows(IllegalStateException.class, () -> OwnClass.open(4))
                .getMessage()
                .endsWith("is not the class that was named."));
    }

    @Test
    void aClassThatIsNotAnExchangeIsRefused() {
        give(String.class.getName() + "@" + Digests.OF_NOTHING);
        assertThrows(RuntimeException.class, () -> OwnClass.open(4));
        System.clearProperty(PROPERTY);
        assertThrows(IllegalStateException.class, () -> OwnClass.open(4));
    }
}
