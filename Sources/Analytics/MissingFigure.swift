/// A figure, or the reason why it cannot be computed. It is never a meaningless number.
public typealias Figure<Value> = Result<Value, MissingFigure>

/// The reason why a figure cannot be computed.
public enum MissingFigure: Error, Sendable, Equatable {
    /// This was not measured.
    case notMeasured(Measure)
    /// This value of the wearer's profile is missing.
    case notKnown(Trait)
    /// The figure needs this long without a pause or a gap.
    case tooShort(neededSeconds: Double)
    /// The figure needs this many values.
    case tooFew(Int, needed: Int)
    /// Too many of the beats are artefacts; the share is a fraction of 1.
    case tooManyArtefacts(share: Double)
    /// The values do not vary, so there is no ratio.
    case noVariation
    /// The heart rate did not rise as alpha1 fell, so neither predicts the other.
    case noRelation
    /// The effort did not reach this alpha1, and the figure is not extrapolated.
    case notReached(alpha1: Double)
    /// The figure compares parts of a workout, and these have different sports.
    case severalSports
    /// There is no reading near this moment after the end.
    case nothingAfterEnd(seconds: Double)
    /// The heart rate at this moment after the end was not lower than at the end.
    case noFall
    /// The heart rate, in beats per minute, was never as low as at rest for a minute.
    case notAtRest(lowestHeartRate: Double, most: Double)

    /// The quantities that sensors measure.
    public enum Measure: String, Sendable, CaseIterable { case heartRate, beats, power, speed, restingHeartRate, load }

    /// The values in a profile.
    public enum Trait: String, Sendable, CaseIterable {
        case sex, restingHeartRate, maximumHeartRate, thresholdPower, ventilatoryThresholds, powerZones, paceZones
    }
}
