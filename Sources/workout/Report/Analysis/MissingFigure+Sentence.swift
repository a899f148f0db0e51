import Analytics

extension MissingFigure {
    /// Why there is no figure, and what gives one where the user can do something.
    var sentence: String {
        switch self {
        case .notMeasured(.beats): "no RR intervals were recorded"
        case .notMeasured(.heartRate): "no heart rate was recorded"
        case .notMeasured(.power): "no power was recorded"
        case .notMeasured(.speed): "neither a distance nor a speed was recorded"
        case .notMeasured(.restingHeartRate): "no resting heart rates are stored"
        case .notMeasured(.load): "no workout has a load"
        case .notKnown(.sex): "needs a sex, and formulas know two: workout profile --sex"
        case .notKnown(.restingHeartRate): "needs the resting heart rate: workout profile --resting-heart-rate"
        case .notKnown(.maximumHeartRate): "needs the maximum heart rate: workout profile --maximum-heart-rate"
        case .notKnown(.thresholdPower): "needs the threshold power: workout profile --threshold-power"
        case .notKnown(.ventilatoryThresholds):
            "needs the two thresholds: workout profile --ventilatory-thresholds"
        case .notKnown(.powerZones): "needs zones of your own: workout profile --power-zones"
        case .notKnown(.paceZones): "needs zones of your own: workout profile --pace-zones"
        case .tooShort(let seconds): "takes \(Self.time(seconds)) without a gap"
        case .tooFew(let count, let needed): "takes \(needed) values; there \(count == 1 ? "is" : "are") \(count)"
        case .tooManyArtefacts(let share):
            "\(MetricFormat.fixed(share * 100, 0)) % of the beats are artefacts, and 5 % are the most"
        case .noVariation: "the values do not vary"
        case .noRelation: "alpha1 did not fall as the heart rate rose"
        case .notReached(let alpha1): "the effort did not come to an alpha1 of \(MetricFormat.fixed(alpha1, 2))"
        case .nothingAfterEnd(let seconds): "no heart rate was recorded \(Int(seconds)) s after the end"
        case .noFall: "the heart rate did not fall after the end"
        case .notAtRest(let lowest, let most):
            "takes a minute at rest, below \(MetricFormat.heartRate(most)); the quietest one had \(MetricFormat.heartRate(lowest))"
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
