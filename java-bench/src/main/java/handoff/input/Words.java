package handoff.input;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Accepted values of a text {@code @Param} field; checked before JMH starts. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Words {
    /** Enum whose constants, as text, are accepted. */
    Class<? extends Enum<?>> value();

    /** Regular expression of further accepted words; without any by default. */
    String pattern() default "";

    /** A word that matches the pattern, for messages. */
    String example() default "";
}
