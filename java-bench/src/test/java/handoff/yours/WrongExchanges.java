package handoff.yours;

import handoff.mechanism.Exchange;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Classes as users might write them, each with one fault. */
final class WrongExchanges {
    private WrongExchanges() {}

    /** A correct exchange, for subclasses to break. */
    abstract static class Wrapped<T> implements Exchange<T> {
        final BlockingQueue<T> queue;

        Wrapped(BlockingQueue<T> queue) {
            this.queue = queue;
        }

        @Override
        public void put(T item) throws InterruptedException {
            queue.put(item);
        }

        @Override
        public T take() throws InterruptedException {
            return queue.take();
        }
    }

    static final class Unbounded<T> extends Wrapped<T> {
        Unbounded(int capacity) {
            super(new LinkedBlockingQueue<>());
        }
    }

    static final class Small<T> extends Wrapped<T> {
        Small(int capacity) {
            super(new ArrayBlockingQueue<>(capacity - 1));
        }
    }

    static final class Twice<T> extends Wrapped<T> {
        private T last;

        Twice(int capacity) {
            super(new ArrayBlockingQueue<>(capacity));
        }

        @Override
        public T take() throws InterruptedException {
            T item = Integer.valueOf(500).equals(last) ? last : queue.take();
            last = item;
            return item;
        }
    }

    static final class Impatient<T> extends Wrapped<T> {
        Impatient(int capacity) {
            super(new ArrayBlockingQueue<>(capacity));
        }

        @Override
        public T take() {
            return queue.poll();
        }
    }

    static final class Refusing<T> extends Wrapped<T> {
        Refusing(int capacity) {
            super(new ArrayBlockingQueue<>(capacity));
            throw new IllegalArgumentException("no");
        }
    }
}
