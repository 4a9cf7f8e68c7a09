package handoff.ring;

import handoff.measure.ThreadTeam;
import java.util.concurrent.CountDownLatch;

/** A ring that leaves it to a mechanism to run the nodes and to bring tokens to their mailboxes. */
abstract class RingNodes implements RingHandoff {
    private final RingWorkload course;
    private final ThreadTeam team;

    RingNodes(RingSetup setup) {
        course = new RingWorkload(setup);
        team = setup.team();
    }

    /** Puts the token into the node's mailbox and ensures that the node will run. */
    abstract void send(int node, Token token);

    /** Runs a node's turn. A failure ends the shot here, because the caller may swallow it. */
    final void receive(int node, Token token) {
        try {
            if (course.visit(node, token)) {
                send(course.after(node), token);
            }
        } catch (RuntimeException | Error reason) {
            team.reportFailure(reason);
        }
    }

    /** Starts all tokens at the first node, which owns them in the post. */
    @Override
    public final void publish(long events) {
        course.tokens().forEach(token -> send(0, token));
    }

    @Override
    public final CountDownLatch done() {
        return course.home();
    }

    @Override
    public final void verify() {
        course.verify();
    }
}
