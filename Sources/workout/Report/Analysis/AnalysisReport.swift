import Analytics
import Foundation
import HealthKit

/// What `workout analyze` says of a workout: sections of figures, each with its value or with why there is none. Text and JSON
/// are two readings of the same rows.
struct AnalysisReport {
    var summary: WorkoutSummary
    var analysis: WorkoutAnalysis
    var distance = DistanceAnalysis()
    /// What the profile knows did not take part: a recording is read with what it says of its wearer.
    var isWithoutProfile = false
    /// What was saved as samples; nil where that was not asked for.
    var saved: SavedFigures?

    struct Section {
        /// The section's member in JSON.
        var name: String
        var rows: [Row]

        /// The section's heading.
        var title: String {
            switch name {
            case "beats": "Heart-rate variability"
            case "alpha1": "DFA alpha1"
            case "load": "Training load"
            default: name.prefix(1).uppercased() + name.dropFirst()
            }
        }
    }

    struct Row {
        /// The member in JSON, with its unit.
        var name: String
        var label: String
        var figure: Figure<Double>
        var text: (Double) -> String
        /// What is to be said beside the value.
        var remark: String?

        init(
            _ name: String, _ label: String, _ figure: Figure<Double>, remark: String? = nil,
            _ text: @escaping (Double) -> String
        ) {
            self.name = name
            self.label = label
            self.figure = figure
            self.remark = remark
            self.text = text
        }
    }

    var distanceReport: DistanceReport { DistanceReport(analysis: distance, activity: summary.activity) }

    var sections: [Section] { [beats, alpha1, load, recovery, power] }

    private var beats: Section {
        let beats = analysis.beats
        let milliseconds = { MetricFormat.milliseconds($0) }
        let power = { (value: Double) in MetricFormat.fixed(value, 0) + " ms²" }
        let count: Figure<Double> =
            beats.intervals > 0 ? .success(Double(beats.intervals)) : .failure(.notMeasured(.beats))
        return Section(
            name: "beats",
            rows: [
                Row("count", "intervals", count) { MetricFormat.short($0) },
                Row(
                    "artefactsInPercent", "artefacts", beats.artefactShare.map { $0 * 100 }, remark: "corrected",
                    percent),
                Row("sdnnInMilliseconds", "SDNN", beats.sdnn, milliseconds),
                Row("rmssdInMilliseconds", "RMSSD", beats.rmssd, milliseconds),
                Row("pnn50InPercent", "pNN50", beats.pnn50, percent),
                Row("sd1InMilliseconds", "SD1", beats.sd1, milliseconds),
                Row("sd2InMilliseconds", "SD2", beats.sd2, milliseconds),
                Row("lowFrequencyPowerInSquareMilliseconds", "LF", beats.lowFrequencyPower, power),
                Row("highFrequencyPowerInSquareMilliseconds", "HF", beats.highFrequencyPower, power),
                Row("lowToHighRatio", "LF/HF", beats.lowToHighRatio, two),
                Row("alpha1", "alpha1", beats.alpha1, remark: "5-minute windows", two),
            ])
    }

    private var alpha1: Section {
        let course = analysis.alpha1
        let rate = { MetricFormat.heartRate($0) }
        return Section(
            name: "alpha1",
            rows: [
                Row("windows", "windows", course.mean.map { _ in Double(course.count) }, remark: "2 minutes each") {
                    MetricFormat.short($0)
                },
                Row("mean", "mean", course.mean, two), Row("lowest", "lowest", course.lowest, two),
                Row("artefactsInPercent", "artefacts", course.meanArtefactShare.map { $0 * 100 }, percent),
                Row(
                    "firstThresholdInBeatsPerMinute", "at 0.75", course.heartRate(atAlpha1: Alpha1Thresholds.first),
                    remark: "estimated first threshold", rate),
                Row(
                    "secondThresholdInBeatsPerMinute", "at 0.50", course.heartRate(atAlpha1: Alpha1Thresholds.second),
                    remark: "estimated second threshold", rate),
            ])
    }

    private var load: Section {
        Section(
            name: "load",
            rows: [
                Row("banisterTrainingImpulse", "Banister", analysis.load.banister, one),
                Row("edwardsTrainingLoad", "Edwards", analysis.load.edwards, one),
                Row("luciaTrainingLoad", "Lucia", analysis.load.lucia, one),
                Row(
                    "decouplingInPercent", "aerobic decoupling", analysis.decoupling, remark: decouplingRemark, percent),
                Row(
                    "maximumOxygenUptakeInMillilitersPerKilogramAndMinute", "VO2 max", analysis.maximumOxygenUptake,
                    remark: "estimated from the profile's heart rates"
                ) { MetricFormat.fixed($0, 1) + " mL/kg·min" },
            ])
    }

    private var recovery: Section {
        Section(
            name: "recovery",
            rows: RecoveryReadings.momentsInSeconds.map { seconds in
                Row(
                    "after\(Int(seconds))SecondsInBeatsPerMinute", "after \(Int(seconds)) s",
                    analysis.recovery.drop(after: seconds)
                ) { "\($0 > 0 ? "-" : "+")\(MetricFormat.heartRate(abs($0)))" }
            })
    }

    private var power: Section {
        let power = analysis.power
        let threshold = analysis.athlete.thresholdPowerInWatts
        return Section(
            name: "power",
            rows: [
                Row("averageInWatts", "average", averagePower) { MetricFormat.power($0) },
                Row("normalizedInWatts", "normalised", power.watts) { MetricFormat.power($0) },
                Row("variabilityIndex", "variability", power.variabilityIndex, two),
                Row("intensityFactor", "intensity", power.intensityFactor(thresholdPowerInWatts: threshold), two),
                Row("trainingStress", "stress", power.trainingStress(thresholdPowerInWatts: threshold), one),
            ])
    }

    private var decouplingRemark: String { "heart rate : \(analysis.power.seconds > 0 ? "power" : speedForm.name)" }

    /// As `workout show` has it.
    private var averagePower: Figure<Double> {
        let found = summary.statistics.first { $0.identifier.hasSuffix("Power") }
        return found?.average.map(Figure.success) ?? .failure(.notMeasured(.power))
    }

    /// As `workout show` has them; nil without a heart rate.
    var heartRate: WorkoutSummary.Statistics? {
        summary.statistics.first { $0.identifier == HKQuantityTypeIdentifier.heartRate.rawValue }
    }

    /// Nil where there are some.
    var reasonForNoZones: MissingFigure? {
        guard summary.zones.isEmpty else { return nil }
        return heartRate?.count ?? 0 == 0 ? .notMeasured(.heartRate) : .notKnown(.maximumHeartRate)
    }

    /// The edges of the zones that time is counted in.
    func bounds(ofZone number: Int) -> Range<Double>? {
        guard let zones = analysis.athlete.wearer?.heartRateZones, (1...zones.count).contains(number) else {
            return nil
        }
        return zones.bounds(ofZone: number)
    }

    private func percent(_ value: Double) -> String { MetricFormat.fixed(value, 1) + " %" }
    private func one(_ value: Double) -> String { MetricFormat.fixed(value, 1) }
    private func two(_ value: Double) -> String { MetricFormat.fixed(value, 2) }
}

extension AnalysisReport {
    /// The best efforts of one measure.
    struct Curve {
        var name: String
        var label: String
        var measure: MissingFigure.Measure
        var efforts: [MeanMaximalCurve.Effort]
        var text: (Double) -> String
    }

    var curves: [Curve] {
        let form = speedForm
        return [
            Curve(
                name: "heartRateInBeatsPerMinute", label: "Heart rate", measure: .heartRate,
                efforts: analysis.heartRates.efforts
            ) { MetricFormat.heartRate($0) },
            Curve(name: "powerInWatts", label: "Power", measure: .power, efforts: analysis.powers.efforts) {
                MetricFormat.power($0)
            },
            Curve(
                name: "speedInMetersPerSecond", label: form.title, measure: .speed,
                efforts: analysis.speeds.efforts
            ) { form.text($0) },
        ]
    }
}
