import Analytics
import HealthKit
import Reports
import StoredWorkouts

/// Charts of the beats of a workout: tachogram, Poincaré plot, spectrum, alpha1 with the share of artefacts.
struct BeatPictures {
    var report: AnalysisReport
    var course: WorkoutTimeline
    var axis: TimeAxis

    var markup: Markup {
        var page = Markup()
        let sections = report.sections.filter { ["beats", "alpha1"].contains($0.name) }
        guard !course.beats.isEmpty else {
            if let beats = sections.first { page.append(PageParts.figures(beats)) }
            return page
        }
        page.append(WorkoutTracks.group([tachogram, alpha1, artefacts].compactMap { $0?.markup(axis) }, axis))
        page.element("div", ["class": "columns-2"]) { page in
            plot(
                localized("Poincaré plot"), localized("each interval (upwards) over the one before it"), poincare, &page
            )
            plot(localized("Spectrum"), localized("LF 0.04 to 0.15 Hz, HF 0.15 to 0.4 Hz"), spectrum, &page)
        }
        page.element("div", ["class": "columns-2"]) { page in
            for section in sections {
                page.element("div") { page in
                    page.element(
                        "h3", text: section.name == "alpha1" ? localized("DFA alpha1") : localized("Variability"))
                    page.append(PageParts.figures(section))
                }
            }
        }
        return page
    }

    private func plot(_ title: String, _ remark: String, _ plot: Markup?, _ page: inout Markup) {
        guard let plot else { return }
        page.element("figure") { page in
            page.element("figcaption", text: "\(title): \(remark)")
            page.append(plot)
        }
    }

    private var tachogram: TimeTrack {
        var track = TimeTrack(localized("Intervals"), unit: "ms", course.beats.intervals, style: "line beats") {
            MetricFormat.fixed($0, 0) + " ms"
        }
        // One interval of nine seconds would flatten all others, so implausible values are marked at the edge.
        track.limits = Alpha1Window.possibleIntervalsInMilliseconds.lowerBound...2000
        track.leastRange = 100
        track.points = course.beats.artefacts
        return track
    }

    /// Returns the trace of one value of the alpha1 readings whose figures the page shows.
    private func trace(_ value: (Alpha1Reading) -> Double) -> Trace {
        var trace = Trace()
        for point in report.analysis.alpha1.points {
            if let reading = point.reading { trace.add(value(reading), at: point.seconds) } else { trace.interrupt() }
        }
        return trace
    }

    private var alpha1: TimeTrack {
        var track = TimeTrack(localized("DFA alpha1"), unit: "", trace(\.alpha1), style: "line beats") {
            MetricFormat.fixed($0, 2)
        }
        track.form = .number(decimals: 2)
        track.bands = [
            (0..<Alpha1Thresholds.second, "band z5"), (Alpha1Thresholds.second..<Alpha1Thresholds.first, "band z3"),
        ]
        track.leastRange = 0.5
        return track
    }

    /// Nil without artefacts.
    private var artefacts: TimeTrack? {
        let shares = trace { $0.artefactShare * 100 }
        guard let bounds = shares.bounds, bounds.upperBound > 0 else { return nil }
        var track = TimeTrack(localized("Artefacts of two minutes"), unit: "%", shares, style: "line") {
            MetricFormat.fixed($0, 1) + " %"
        }
        track.form = .number(decimals: 1)
        track.isFromZero = true
        track.leastRange = 2
        return track
    }

    private var poincare: Markup? {
        PoincarePlot(course.beats.pairs).markup(label: Self.label(report, ["SD1", "SD2"], localized("Poincaré plot"))) {
            MetricFormat.fixed($0, 0)
        }
    }

    private var spectrum: Markup? {
        guard let density = course.beats.density else { return nil }
        let plot = SpectrumPlot(
            density: density, binWidthInHertz: HeartRateVariabilitySpectrum.binWidthInHertz,
            bands: [
                (HeartRateVariabilitySpectrum.lowFrequencies, "low"),
                (HeartRateVariabilitySpectrum.highFrequencies, "high"),
            ])
        return plot.markup(label: Self.label(report, ["LF", "HF", "LF/HF"], localized("Spectrum of the intervals"))) {
            MetricFormat.short($0) + " Hz"
        } power: {
            MetricFormat.fixed($0, 0)
        }
    }

    /// Describes the chart in words, with the figures that it shows.
    private static func label(_ report: AnalysisReport, _ labels: [String], _ title: String) -> String {
        let rows = report.sections.flatMap(\.rows).filter { labels.contains($0.label) }
        let values = rows.compactMap { row in (try? row.figure.get()).map { "\(row.label) \(row.text($0))" } }
        return values.isEmpty ? title : "\(title): \(values.joined(separator: ", "))"
    }
}
