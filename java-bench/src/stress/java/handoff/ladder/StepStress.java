package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/** Base of the stress tests of a step with two places, named by the system property step. */
abstract class StepStress {
    private static final Steps STEP = Steps.valueOf(System.getProperty("step"));

    private final PolledStep step = STEP.open(2);

    /** Opens a step with the events 1 to {@code events}. */
    StepStress(int events) {
        for (int value = 1; value <= events; value++) {
            offer(value);
        }
    }

    /** Returns 1 when the event was put, 0 when the step was full. */
    final int offer(int value) {
        try {
            return Steps.offer(step, value) ? 1 : 0;
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
    }

    /** Tries to put until there is room, without a pause that would make a compiler read again. */
    final void awaitRoom(int value) {
        try {
            if (step instanceof ReusingStep reusing) {
                while (!reusing.offer(value)) {
                    // Tries again.
                }
            } else {
                Event event = new Event(value);
                while (!((AllocatingStep) step).offer(event)) {
                    // Tries again.
                }
            }
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
    }

    /** Tries to take until there is an event, likewise. */
    final void awaitEvent() {
        Digits digits = new Digits();
        try {
            while (!step.poll(digits)) {
                // Tries again.
            }
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
    }

    /** Returns the values taken by this many attempts as decimal digits: 12 for 1, then 2. */
    final int poll(int attempts) {
        Digits digits = new Digits();
        try {
            for (int i = 0; i < attempts; i++) {
                step.poll(digits);
            }
        } catch (InterruptedException never) {
            throw new IllegalStateException(never);
        }
        return digits.number;
    }

    private static final class Digits extends EventConsumer {
        private int number;

        Digits() {
            super(null, null);
        }

        @Override
        public void accept(Event event) {
            // An event that is not there yet is a 9.
            number = 10 * number + (event == null ? 9 : (int) event.value);
        }
    }
}
