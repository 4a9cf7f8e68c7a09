package handoff.actors;

import java.util.concurrent.ExecutorService;

/**
 * Runs any actor on any thread of a pool. When messages return to their own actors, they are
 * submitted themselves, as published: an actor has no other. When actors send to each other, each
 * has a mailbox, and actors are submitted.
 */
final class PooledScheduler extends Scheduler {
    private final ActorGroup group;
    private final boolean alone;
    private final ExecutorService pool;

    PooledScheduler(ActorsSetup setup, ExecutorService pool) {
        super(setup.group());
        this.group = setup.group();
        this.alone = setup.route() == Route.SELF;
        this.pool = pool;
    }

    @Override
    void send(Message message) {
        if (alone) {
            pool.execute(message);
        } else if (message.at.mailbox.put(message)) {
            submit(message.at);
        }
    }

    private void submit(Actor actor) {
        pool.execute(() -> {
            group.turn(actor.mailbox.message());
            if (actor.mailbox.next()) {
                submit(actor);
            }
        });
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }
}
