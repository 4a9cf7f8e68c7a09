package handoff.yours;

import java.util.concurrent.LinkedBlockingQueue;

/** Classes as users might write them, each with one fault. */
final class WrongExchanges {
    private WrongExchanges() {}

    static final class Unbounded<T> extends RightExchange<T> {
        Unbounded(int capacity) {
            super(new LinkedBlockingQueue<>());
        }
    }

    static final class Small<T> extends RightExchange<T> {
        Small(int capacity) {
            super(capacity - 1);
        }
    }

    static final class Twice<T> extends RightExchange<T> {
        private T last;

        Twice(int capacity) {
            super(capacity);
        }

        @Override
        public T take() throws InterruptedException {
            T item = Integer.valueOf(500).equals(last) ? last : queue.take();
            last = item;
            return item;
        }
    }

    static final class Impatient<T> extends RightExchange<T> {
        Impatient(int capacity) {
            super(capacity);
        }

        @Override
        public T take() {
            return queue.poll();
        }
    }

    static final class Refusing<T> extends RightExchange<T> {
        Refusing(int capacity) {
            super(capacity);
            throw new IllegalArgumentException("no");
        }
    }
}
