// answer: exchange
// wrong: the JDK's own queue in another coat
import handoff.mechanism.Exchange;
import java.util.concurrent.ArrayBlockingQueue;

public final class MyExchange<T> implements Exchange<T> {
    private final ArrayBlockingQueue<T> queue;

    public MyExchange(int capacity) {
        queue = new ArrayBlockingQueue<>(capacity);
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
