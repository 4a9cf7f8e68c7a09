package handoff.actors;

import java.util.concurrent.ExecutorService;

/**
 * Any thread of a pool runs any actor. Where a message goes to its own actor again it is submitted as it is, as published: the actor has
 * no other. Where actors send to each other, each has a mailbox, and is submitted itself.
 */
final class Pooled extends Scheduler {
    private final Stage stage;
    private final boolean alone;
    private final ExecutorService pool;

    Pooled(Scenario scenario, ExecutorService pool) {
        super(scenario.stage());
        this.stage = scenario.stage();
        this.alone = scenario.route() == Route.SELF;
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
            stage.turn(actor.mailbox.message());
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
