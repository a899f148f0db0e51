import Analytics
import Reports

extension MissingFigure {
    /// The reason why a figure is missing, and the remedy if there is one.
    var sentence: String {
        switch self {
        case .notMeasured(.beats): localized("no RR intervals were recorded")
        case .notMeasured(.heartRate): localized("no heart rate was recorded")
        case .notMeasured(.power): localized("no power was recorded")
        case .notMeasured(.speed): localized("neither a distance nor a speed was recorded")
        case .notMeasured(.restingHeartRate): localized("none stored")
        case .notMeasured(.load): localized("no workout has a training load")
        case .notKnown(.sex): localized("set female or male; the formulas know only these: workout profile --sex")
        case .notKnown(.restingHeartRate):
            localized("set your resting heart rate: workout profile --resting-heart-rate")
        case .notKnown(.maximumHeartRate):
            localized("set your maximum heart rate: workout profile --maximum-heart-rate")
        case .notKnown(.thresholdPower): localized("set your threshold power: workout profile --threshold-power")
        case .notKnown(.ventilatoryThresholds):
            localized("set your ventilatory thresholds: workout profile --ventilatory-thresholds")
        case .notKnown(.powerZones): localized("set your power zones: workout profile --power-zones")
        case .notKnown(.paceZones): localized("set your pace zones: workout profile --pace-zones")
        case .tooShort(let seconds): localized("needs %1 without a gap", Self.time(seconds))
        case .tooFew(let count, let needed): localized("needs %1 values; only %2 recorded", "\(needed)", "\(count)")
        case .tooManyArtefacts(let share):
            localized("%1 % of the beats are artefacts (limit 5 %)", MetricFormat.fixed(share * 100, 0))
        case .noVariation: localized("all values are equal")
        case .noRelation: localized("alpha1 did not fall as the heart rate rose")
        case .severalSports: localized("the workout has several sports")
        case .notReached(let alpha1):
            localized("the effort was too easy to reach an alpha1 of %1", MetricFormat.fixed(alpha1, 2))
        case .nothingAfterEnd(let seconds):
            localized("no heart rate was recorded %1 s after the end", "\(Int(seconds))")
        case .noFall: localized("the heart rate did not fall after the end")
        case .notAtRest(let lowest, let most):
            localized(
                "needs a minute at rest, below %1; the lowest was %2", MetricFormat.heartRate(most),
                MetricFormat.heartRate(lowest))
        }
    }

    /// The reason for programs: one word that never changes.
    var code: String {
        switch self {
        case .notMeasured(let measure): "notMeasured.\(measure.rawValue)"
        case .notKnown(let trait): "notKnown.\(trait.rawValue)"
        case .tooShort: "tooShort"
        case .tooFew: "tooFew"
        case .tooManyArtefacts: "tooManyArtefacts"
        case .noVariation: "noVariation"
        case .noRelation: "noRelation"
        case .severalSports: "severalSports"
        case .notReached: "notReached"
        case .nothingAfterEnd: "nothingAfterEnd"
        case .noFall: "noFall"
        case .notAtRest: "notAtRest"
        }
    }

    private static func time(_ seconds: Double) -> String {
        if seconds >= 2 * 86_400 { return localizedCount(Int(seconds / 86_400), "day") }
        return seconds >= 120 ? localizedCount(Int(seconds / 60), "minute") : "\(Int(seconds)) s"
    }
}
