import Analytics

extension MissingFigure {
    /// Why there is no figure, and what gives one where the user can do something.
    var sentence: String {
        switch self {
        case .notMeasured(.beats): "no RR intervals were recorded"
        case .notMeasured(.heartRate): "no heart rate was recorded"
        case .notMeasured(.power): "no power was recorded"
        case .notMeasured(.speed): "neither a distance nor a speed was recorded"
        case .notMeasured(.restingHeartRate): "none stored"
        case .notMeasured(.load): "no workout has a training load"
        case .notKnown(.sex): "set female or male; the formulas know only these: workout profile --sex"
        case .notKnown(.restingHeartRate): "set your resting heart rate: workout profile --resting-heart-rate"
        case .notKnown(.maximumHeartRate): "set your maximum heart rate: workout profile --maximum-heart-rate"
        case .notKnown(.thresholdPower): "set your threshold power: workout profile --threshold-power"
        case .notKnown(.ventilatoryThresholds):
            "set your ventilatory thresholds: workout profile --ventilatory-thresholds"
        case .notKnown(.powerZones): "set your power zones: workout profile --power-zones"
        case .notKnown(.paceZones): "set your pace zones: workout profile --pace-zones"
        case .tooShort(let seconds): "needs \(Self.time(seconds)) without a gap"
        case .tooFew(let count, let needed): "needs \(needed) values; only \(count) recorded"
        case .tooManyArtefacts(let share):
            "\(MetricFormat.fixed(share * 100, 0)) % of the beats are artefacts (limit 5 %)"
        case .noVariation: "all values are equal"
        case .noRelation: "alpha1 did not fall as the heart rate rose"
        case .notReached(let alpha1): "the effort was too easy to reach an alpha1 of \(MetricFormat.fixed(alpha1, 2))"
        case .nothingAfterEnd(let seconds): "no heart rate was recorded \(Int(seconds)) s after the end"
        case .noFall: "the heart rate did not fall after the end"
        case .notAtRest(let lowest, let most):
            "needs a minute at rest, below \(MetricFormat.heartRate(most)); the lowest was \(MetricFormat.heartRate(lowest))"
        }
    }

    /// For programs: one word, and the same for ever.
    var code: String {
        switch self {
        case .notMeasured(let measure): "notMeasured.\(measure.rawValue)"
        case .notKnown(let trait): "notKnown.\(trait.rawValue)"
        case .tooShort: "tooShort"
        case .tooFew: "tooFew"
        case .tooManyArtefacts: "tooManyArtefacts"
        case .noVariation: "noVariation"
        case .noRelation: "noRelation"
        case .notReached: "notReached"
        case .nothingAfterEnd: "nothingAfterEnd"
        case .noFall: "noFall"
        case .notAtRest: "notAtRest"
        }
    }

    private static func time(_ seconds: Double) -> String {
        if seconds >= 2 * 86_400 { return "\(Int(seconds / 86_400)) days" }
        return seconds >= 120 ? "\(Int(seconds / 60)) minutes" : "\(Int(seconds)) s"
    }
}
