package handoff.latency;

import handoff.measure.Calibration;
import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Tally;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The clocks of one shot's stages, and their results. */
final class Stages {
    static final List<String> WAYS =
            List.of("hop", "published", "total", "due", "stage1", "stage2", "stage3");
    static final List<String> OTHERS = List.of("clock_ns", "recorder_ns", "recorder_bytes");

    private final List<Tally> tallies;
    private final boolean every;
    private final boolean scheduled;
    private final double clockNs;
    private final List<Recorder> hops;
    private final Recorder total = new Recorder();
    private final Recorder due = new Recorder();
    private final PublishedStatistic published;

    /**
     * @param clockNs the mean cost of reading the clock
     */
    Stages(List<Tally> tallies, Recording recording, Pacing pacing, double clockNs) {
        this.tallies = tallies;
        this.every = recording == Recording.EVERY_STAGE;
        this.scheduled = pacing == Pacing.SCHEDULE;
        this.clockNs = clockNs;
        this.hops =
                Stream.generate(Recorder::new).limit(every ? tallies.size() : 0).toList();
        this.published = new PublishedStatistic(tallies.size(), clockNs);
    }

    int count() {
        return tallies.size();
    }

    /** Returns the totals when every stage sees the number of every event. */
    static Expected expected(int stages, long events) {
        return Expected.each(events, Collections.nCopies(stages, Expected.sum(events)));
    }

    /** Returns the stage at {@code place}, counted from 0. */
    Stage stage(int place) {
        boolean last = place == tallies.size() - 1;
        return new Stage(
                tallies.get(place),
                every ? hops.get(place) : null,
                last ? total : null,
                published,
                scheduled ? due : null);
    }

    /**
     * A stage's work for an event, on its thread; {@code hop} and {@code total} are null when the
     * stage does not time them.
     */
    record Stage(
            Tally tally, Recorder hop, Recorder total, PublishedStatistic published, Recorder due) {
        void accept(Stamped event) {
            if (hop != null || total != null) {
                long now = System.nanoTime();
                if (hop != null) {
                    hop.record(now - event.seen);
                    event.seen = now;
                }
                if (total != null) {
                    end(now, event);
                }
            }
            tally.add(event.number);
        }

        private void end(long now, Stamped event) {
            total.record(now - event.published);
            published.record(now - event.published);
            if (due != null) {
                due.record(now - event.due);
            }
        }
    }

    /**
     * @throws IllegalStateException when an event took longer than can be recorded
     */
    Findings findings() {
        Stream.concat(Stream.of(total, due), hops.stream()).forEach(Recorder::verify);
        Map<String, Double> measures = new LinkedHashMap<>();
        Map<String, double[][]> curves = new LinkedHashMap<>();
        Summary.of(total, this::hop).into("hop", measures);
        published.summary().into("published", measures);
        total.report("total", measures, curves);
        if (scheduled) {
            due.report("due", measures, curves);
        }
        for (int stage = 0; stage < hops.size(); stage++) {
            hops.get(stage).report("stage" + (stage + 1), measures, curves);
        }
        Recorder scratch = new Recorder();
        long start = System.nanoTime();
        measures.put("clock_ns", clockNs);
        measures.put(
                "recorder_ns", Calibration.nanos(() -> scratch.record(System.nanoTime() - start)));
        measures.put("recorder_bytes", (double) total.footprint());
        return new Findings(measures, curves, null);
    }

    /**
     * Returns a hop's share of the end-to-end time, less the clock's own cost, as in the published
     * statistic.
     */
    private double hop(double endToEndNs) {
        return endToEndNs / tallies.size() - clockNs;
    }

    /** Returns the names of all measures; a shot has only those that apply. */
    static List<String> measures() {
        List<String> names = new ArrayList<>();
        WAYS.forEach(way -> Summary.NAMES.forEach(name -> names.add(way + "_" + name)));
        names.addAll(OTHERS);
        return names;
    }
}
