package handoff.actors;

import handoff.mechanism.Handoff;

/** One way to have actors run. */
abstract class Scheduler implements Handoff {
    private final ActorGroup group;

    Scheduler(ActorGroup group) {
        this.group = group;
    }

    /** Sees to it that the message's actor will deal with it. On any thread. */
    abstract void send(Message message);

    /** The first message of every chain; all others are sent by the ones before. */
    @Override
    public final void publish(long events) {
        group.messages().forEach(this::send);
    }
}
