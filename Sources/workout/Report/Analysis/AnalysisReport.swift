import Analytics
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The content of `workout analyze` for a workout: sections of figures, each with its value or the reason why it is
/// missing. Text and JSON come from the same rows.
struct AnalysisReport {
    var summary: WorkoutSummary
    var analysis: WorkoutAnalysis
    var distance = DistanceReport(analysis: DistanceAnalysis())
    /// Whether the profile was left out, because a recording uses its own wearer.
    var isWithoutProfile = false
    /// The figures saved as samples. Nil if the user did not ask for that.
    var saved: SavedFigures?

    struct Section {
        /// The name of the section's member in JSON.
        var name: String
        var rows: [Row]

        /// The section's heading.
        var title: String {
            switch name {
            case "beats": localized("Heart-rate variability")
            case "alpha1": localized("DFA alpha1")
            case "load": localized("Training load")
            case "recovery": localized("Recovery")
            case "power": localized("Power")
            default: name.prefix(1).uppercased() + name.dropFirst()
            }
        }
    }

    struct Row {
        /// The name of the member in JSON, with its unit.
        var name: String
        var label: String
        var figure: Figure<Double>
        var text: (Double) -> String
        /// A remark beside the value.
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
                Row("count", localized("intervals"), count) { MetricFormat.short($0) },
                Row(
                    "artefactsInPercent", localized("artefacts"), beats.artefactShare.map { $0 * 100 },
                    remark: localized("corrected"),
                    percent),
                Row("sdnnInMilliseconds", "SDNN", beats.sdnn, milliseconds),
                Row("rmssdInMilliseconds", "RMSSD", beats.rmssd, milliseconds),
                Row("pnn50InPercent", "pNN50", beats.pnn50, percent),
                Row("sd1InMilliseconds", "SD1", beats.sd1, milliseconds),
                Row("sd2InMilliseconds", "SD2", beats.sd2, milliseconds),
                Row("lowFrequencyPowerInSquareMilliseconds", "LF", beats.lowFrequencyPower, power),
                Row("highFrequencyPowerInSquareMilliseconds", "HF", beats.highFrequencyPower, power),
                Row("lowToHighRatio", "LF/HF", beats.lowToHighRatio, two),
                Row("alpha1", "alpha1", beats.alpha1, remark: localized("5-minute windows"), two),
            ])
    }

    private var alpha1: Section {
        let course = analysis.alpha1
        let rate = { MetricFormat.heartRate($0) }
        return Section(
            name: "alpha1",
            rows: [
                Row(
                    "windows", localized("windows"), course.mean.map { _ in Double(course.count) },
                    remark: localized("2 minutes each")
                ) {
                    MetricFormat.short($0)
                },
                Row("mean", localized("mean"), course.mean, two),
                Row("lowest", localized("lowest"), course.lowest, two),
                Row("artefactsInPercent", localized("artefacts"), course.meanArtefactShare.map { $0 * 100 }, percent),
                Row(
                    "firstThresholdInBeatsPerMinute", localized("at 0.75"),
                    course.heartRate(atAlpha1: Alpha1Thresholds.first),
                    remark: localized("estimated first threshold"), rate),
                Row(
                    "secondThresholdInBeatsPerMinute", localized("at 0.50"),
                    course.heartRate(atAlpha1: Alpha1Thresholds.second),
                    remark: localized("estimated second threshold"), rate),
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
                    "decouplingInPercent", localized("aerobic decoupling"), analysis.decoupling,
                    remark: decouplingRemark, percent),
                Row(
                    "maximumOxygenUptakeInMillilitersPerKilogramAndMinute", "VO2 max", analysis.maximumOxygenUptake,
                    remark: localized("estimated from the profile's heart rates")
                ) { MetricFormat.fixed($0, 1) + " mL/kg·min" },
            ])
    }

    private var recovery: Section {
        Section(
            name: "recovery",
            rows: RecoveryReadings.momentsInSeconds.map { seconds in
                Row(
                    "after\(Int(seconds))SecondsInBeatsPerMinute", localized("after %1 s", "\(Int(seconds))"),
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
                Row("averageInWatts", localized("average"), averagePower) { MetricFormat.power($0) },
                Row("normalizedInWatts", localized("normalised"), power.watts) { MetricFormat.power($0) },
                Row("variabilityIndex", localized("variability"), power.variabilityIndex, two),
                Row(
                    "intensityFactor", localized("intensity"), power.intensityFactor(thresholdPowerInWatts: threshold),
                    two),
                Row("trainingStress", localized("stress"), power.trainingStress(thresholdPowerInWatts: threshold), one),
            ])
    }

    private var decouplingRemark: String {
        localized("heart rate : %1", analysis.power.seconds > 0 ? localized("power") : speedForm.name)
    }

    /// The average power, as in `workout show`.
    private var averagePower: Figure<Double> {
        let found = summary.statistics.first { $0.identifier.hasSuffix("Power") }
        return found?.average.map(Figure.success) ?? .failure(.notMeasured(.power))
    }

    /// The statistics of the heart rate, as in `workout show`. Nil without a heart rate.
    var heartRate: WorkoutSummary.Statistics? {
        summary.statistics.first { $0.identifier == HKQuantityTypeIdentifier.heartRate.rawValue }
    }

    /// Nil if there are zones.
    var reasonForNoZones: MissingFigure? {
        guard summary.zones.isEmpty else { return nil }
        return heartRate?.count ?? 0 == 0 ? .notMeasured(.heartRate) : .notKnown(.maximumHeartRate)
    }

    /// Returns the bounds of a zone that time is counted in.
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
                name: "heartRateInBeatsPerMinute", label: localized("Heart rate"), measure: .heartRate,
                efforts: analysis.heartRates.efforts
            ) { MetricFormat.heartRate($0) },
            Curve(name: "powerInWatts", label: localized("Power"), measure: .power, efforts: analysis.powers.efforts) {
                MetricFormat.power($0)
            },
            Curve(
                name: "speedInMetersPerSecond", label: form.title, measure: .speed,
                efforts: analysis.speeds.efforts
            ) { form.text($0) },
        ]
    }
}

extension AnalysisReport {
    /// One object. The names of members contain units. Missing figures are left out and listed with reasons in
    /// `unavailable`.
    var json: String {
        var members: [(String, JSONText?)] = [
            ("id", .string(summary.id.uuidString)), ("activity", .string(summary.activity)),
            ("start", .date(summary.start)), ("end", .date(summary.end)),
            ("durationInSeconds", .optional(summary.durationInSeconds)),
            ("averageHeartRateInBeatsPerMinute", .optional(heartRate?.average)),
            ("maximumHeartRateInBeatsPerMinute", .optional(heartRate?.maximum)),
            (
                "zones",
                .array(
                    summary.zones.map { zone in
                        let bounds = bounds(ofZone: zone.zone)
                        return .object([
                            ("zone", .integer(zone.zone)),
                            ("fromBeatsPerMinute", .optional(bounds?.lowerBound)),
                            ("toBeatsPerMinute", .optional(bounds?.upperBound)),
                            ("seconds", .optional(zone.seconds)),
                        ])
                    })
            ),
        ]
        members += [
            ("powerZones", summary.powerZones.map { SummaryJSON.json($0, unit: "Watts") }),
            ("belowPowerZonesInSeconds", summary.powerZones.map { .integer($0.below) }),
            ("paceZones", summary.speedZones.map { SummaryJSON.json($0, unit: "MetersPerSecond") }),
            ("belowPaceZonesInSeconds", summary.speedZones.map { .integer($0.below) }),
        ]
        var missing: [(String, MissingFigure)] = reasonForNoZones.map { [("zones", $0)] } ?? []
        missing += reasonsForNoMotionZones.map { ($0.figure, $0.reason) }
        for section in sections {
            members.append((section.name, .object(section.rows.map { ($0.name, .optional(try? $0.figure.get())) })))
            missing += section.rows.compactMap { row in
                guard case .failure(let reason) = row.figure else { return nil }
                return ("\(section.name).\(row.name)", reason)
            }
        }
        let efforts = curves.map { curve in
            (
                curve.name,
                JSONText.array(
                    curve.efforts.map {
                        .object([
                            ("seconds", .integer($0.seconds)), ("mean", .optional($0.mean)),
                            ("startInActiveSeconds", .integer($0.start)),
                        ])
                    })
            )
        }
        members.append(("efforts", .object(efforts)))
        members += distance.json
        missing += curves.filter(\.efforts.isEmpty).map { ("efforts.\($0.name)", .notMeasured($0.measure)) }
        members.append(("savedFigures", savedJSON))
        missing += unsaved
        members.append(("unavailable", Self.json(missing)))
        return JSONText.object(members).text
    }

    static func json(_ missing: [(String, MissingFigure)]) -> JSONText {
        .array(
            missing.map { name, reason in
                .object([
                    ("figure", .string(name)), ("reason", .string(reason.code)), ("sentence", .string(reason.sentence)),
                ])
            })
    }
}

extension AnalysisReport {
    /// Returns a line for each result of `--save-figures`. Empty if the user did not ask for that.
    func savedLines(_ page: Page) -> [(label: String, value: String?, remark: String)] {
        (saved?.rows ?? []).map { row in
            let label = Self.savedLabels[row.type].map { localized($0) } ?? row.type.swiftName
            switch row.outcome {
            case .failure(let reason): return (label, nil, reason.sentence)
            case .success(let sample):
                var remarks = [localized(row.wasStored ? "already stored" : "saved")]
                if row.type == HKQuantityType(.heartRateVariabilitySDNN) {
                    remarks.append(
                        localized(
                            "of the minute at rest, %1",
                            "\(page.clock(sample.startDate)) \(page.zoneName(sample.startDate))"))
                }
                return (label, Self.savedValue(sample), remarks.joined(separator: ", "))
            }
        }
    }

    private static let savedLabels = [
        HKQuantityType(.heartRateVariabilitySDNN): "SDNN", HKQuantityType(.heartRateRecoveryOneMinute): "recovery",
        HKQuantityType(.vo2Max): "VO2 max", HKQuantityType(.estimatedWorkoutEffortScore): "effort",
    ]

    private static func savedValue(_ sample: HKQuantitySample) -> String {
        let value = sample.quantity.doubleValue(for: sample.quantityType.recordingUnit)
        switch sample.quantityType {
        case HKQuantityType(.heartRateVariabilitySDNN): return MetricFormat.milliseconds(value)
        case HKQuantityType(.heartRateRecoveryOneMinute): return "-" + MetricFormat.heartRate(value)
        case HKQuantityType(.vo2Max): return MetricFormat.fixed(value, 1) + " mL/kg·min"
        default: return localized("%1 of 10", MetricFormat.short(value))
        }
    }

    /// The samples as in `workout samples --json`, and whether they were stored before.
    var savedJSON: JSONText? {
        saved.map { saved in
            .array(
                saved.rows.compactMap { row in
                    guard case .success(let sample) = row.outcome, case .object(let members) = SampleReport.json(sample)
                    else { return nil }
                    return .object(members + [("wasStored", .boolean(row.wasStored))])
                })
        }
    }

    /// The types without a sample, with reasons.
    var unsaved: [(String, MissingFigure)] {
        (saved?.rows ?? []).compactMap { row in
            guard case .failure(let reason) = row.outcome else { return nil }
            return ("savedFigures.\(row.type.swiftName)", reason)
        }
    }
}
