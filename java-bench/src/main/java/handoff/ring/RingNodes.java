package handoff.ring;

import handoff.measure.ThreadTeam;
import java.util.concurrent.CountDownLatch;

/**
 * A ring, whatever runs its nodes: how a token gets into a node's mailbox is what a mechanism is.
 */
abstract class RingNodes implements RingHandoff {
    private final RingWorkload course;
    private final ThreadTeam team;

    RingNodes(RingSetup setup) {
        course = new RingWorkload(setup);
        team = setup.team();
    }

    /** Puts the token into the node's mailbox and sees to it that the node will run. */
    abstract void send(int node, Token token);

    /** A node's turn. A failure ends the shot: who runs nodes may keep it to himself. */
    final void receive(int node, Token token) {
        try {
            if (course.visit(node, token)) {
                send(course.after(node), token);
            }
        } catch (RuntimeException | Error reason) {
            team.reportFailure(reason);
        }
    }

    /** All tokens start at the first node, which in the post owns them. */
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
