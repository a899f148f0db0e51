/// A figure, or why it is not to be had: never a number that means nothing.
public typealias Figure<Value> = Result<Value, MissingFigure>

/// Why a figure is not to be had.
public enum MissingFigure: Error, Sendable, Equatable {
    /// Nothing of this was measured.
    case notMeasured(Measure)
    /// This has to be known of the wearer, and is not.
    case notKnown(Trait)
    /// It takes this long without a pause or a gap.
    case tooShort(neededSeconds: Double)
    /// It takes this many values.
    case tooFew(Int, needed: Int)
    /// More of the beats are artefacts than the figure bears; the share is a fraction of 1.
    case tooManyArtefacts(share: Double)
    /// The values do not vary, so there is nothing to relate.
    case noVariation
    /// The heart rate did not rise as alpha1 fell, so neither tells where the other is.
    case noRelation
    /// The effort did not reach this alpha1; beyond what was seen nothing is guessed.
    case notReached(alpha1: Double)
    /// No reading lies near this moment after the end.
    case nothingAfterEnd(seconds: Double)
    /// The heart rate was no lower so long after the end than at the end.
    case noFall
    /// In no minute was the heart rate as low as at rest; in beats a minute.
    case notAtRest(lowestHeartRate: Double, most: Double)

    /// What sensors measure.
    public enum Measure: String, Sendable, CaseIterable { case heartRate, beats, power, speed, restingHeartRate, load }

    /// What a profile knows.
    public enum Trait: String, Sendable, CaseIterable {
        case sex, restingHeartRate, maximumHeartRate, thresholdPower, ventilatoryThresholds, powerZones, paceZones
    }
}
