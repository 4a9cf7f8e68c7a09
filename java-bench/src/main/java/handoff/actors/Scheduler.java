package handoff.actors;

import handoff.mechanism.Handoff;

/** A way to run actors. */
abstract class Scheduler implements Handoff {
    private final ActorGroup group;

    Scheduler(ActorGroup group) {
        this.group = group;
    }

    /** Ensures that the message's actor will handle it; called on any thread. */
    abstract void send(Message message);

    /** Sends the first message of every chain; each message sends the next. */
    @Override
    public final void publish(long events) {
        group.messages().forEach(this::send);
    }
}
