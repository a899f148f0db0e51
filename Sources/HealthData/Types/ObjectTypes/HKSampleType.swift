public import Foundation

/// A type whose objects have a start and an end: everything but characteristics, activity summaries and medications.
///
/// Which of Apple's types restrict the duration of their samples, and to how many seconds, is not published. None is
/// restricted here; should that become known, the two limits are the only place to change.
// Immutable, as HKObjectType explains.
public class HKSampleType: HKObjectType, @unchecked Sendable {
    /// The longest sample of this type, in seconds; nil when there is no limit.
    var longestDuration: TimeInterval? { nil }

    /// The shortest sample of this type, in seconds; nil when there is no limit.
    var shortestDuration: TimeInterval? { nil }

    /// Whether ``maximumAllowedDuration`` may be asked. False of every type here: Apple does not publish which are
    /// restricted.
    public final var isMaximumDurationRestricted: Bool { longestDuration != nil }

    /// In seconds. Ask only a type whose `isMaximumDurationRestricted` is true; any other traps, as HealthKit raises.
    public final var maximumAllowedDuration: TimeInterval {
        guard let longestDuration else {
            preconditionFailure("\(identifier) does not restrict the maximum duration of its samples")
        }
        return longestDuration
    }

    /// Whether ``minimumAllowedDuration`` may be asked. False of every type here: Apple does not publish which are
    /// restricted.
    public final var isMinimumDurationRestricted: Bool { shortestDuration != nil }

    /// In seconds. Ask only a type whose `isMinimumDurationRestricted` is true; any other traps, as HealthKit raises.
    public final var minimumAllowedDuration: TimeInterval {
        guard let shortestDuration else {
            preconditionFailure("\(identifier) does not restrict the minimum duration of its samples")
        }
        return shortestDuration
    }

    /// Whether ``HKHealthStore/recalibrateEstimates(sampleType:date:completion:)`` takes this type. False throughout: Apple's system makes estimates
    /// that can be recalibrated, this one records what sensors measure.
    public final var allowsRecalibrationForEstimates: Bool { false }
}
