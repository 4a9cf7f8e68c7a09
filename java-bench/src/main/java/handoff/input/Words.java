package handoff.input;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a {@code @Param} field of text takes; checked before JMH starts. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Words {
    /** The names of its constants are allowed. */
    Class<? extends Enum<?>> value();

    /** And words that match this regular expression. */
    String pattern();

    /** One of these. */
    String example();
}
