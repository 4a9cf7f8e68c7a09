package handoff.actors;

import java.util.List;
import java.util.function.Supplier;

/**
 * Runs the actors on {@link SoftAffinity}, at first on the threads that {@link DedicatedScheduler}
 * would choose.
 */
final class SoftAffinityScheduler extends Scheduler {
    private final SoftAffinity executor;
    private final List<Address<Message>> addresses;

    SoftAffinityScheduler(ActorsSetup setup, Supplier<Slice> slices) {
        super(setup.group());
        executor = new SoftAffinity(setup.workers(), slices, setup.team(), worker -> {
            setup.group().register(worker);
            setup.team().ready();
        });
        addresses = setup.group().actors().stream()
                .map(actor -> executor.<Message>actor(
                        actor.number % setup.workers(), setup.group()::turn))
                .toList();
    }

    @Override
    void send(Message message) {
        addresses.get(message.at.number).send(message);
    }

    @Override
    public void stop() {
        executor.close();
    }
}
