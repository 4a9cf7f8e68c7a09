package handoff.actors;

import java.util.List;

/** The actors on {@link SoftAffinity}, at first spread over the threads as {@link Dedicated} spreads them. */
final class SoftAffinityScheduler extends Scheduler {
    private final SoftAffinity executor;
    private final List<Address<Message>> addresses;

    SoftAffinityScheduler(Scenario scenario) {
        super(scenario.stage());
        executor = new SoftAffinity(scenario.workers(), scenario.crew(), worker -> {
            scenario.stage().enlist(worker);
            scenario.crew().ready();
        });
        addresses = scenario.stage().actors().stream()
            .map(actor -> executor.<Message>actor(actor.number % scenario.workers(), scenario.stage()::turn)).toList();
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
