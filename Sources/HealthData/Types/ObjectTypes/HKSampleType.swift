public import Foundation

/// A type whose objects have a start and an end: all types except characteristics, activity summaries and medications.
///
/// Apple does not publish which types restrict the duration of their samples, and to how many seconds. Here none is
/// restricted. If that becomes known, only the two limits below have to change.
// Immutable, as HKObjectType explains.
public class HKSampleType: HKObjectType, @unchecked Sendable {
    /// The longest sample of this type, in seconds. Nil if there is no limit.
    var longestDuration: TimeInterval? { nil }

    /// The shortest sample of this type, in seconds. Nil if there is no limit.
    var shortestDuration: TimeInterval? { nil }

    /// Whether the type has a ``maximumAllowedDuration``. False for all types, since Apple does not publish which are
    /// restricted.
    public final var isMaximumDurationRestricted: Bool { longestDuration != nil }

    /// The maximum duration in seconds. Traps unless `isMaximumDurationRestricted` is true, as HealthKit raises.
    public final var maximumAllowedDuration: TimeInterval {
        guard let longestDuration else {
            preconditionFailure("\(identifier) does not restrict the maximum duration of its samples")
        }
        return longestDuration
    }

    /// Whether the type has a ``minimumAllowedDuration``. False for all types, since Apple does not publish which are
    /// restricted.
    public final var isMinimumDurationRestricted: Bool { shortestDuration != nil }

    /// The minimum duration in seconds. Traps unless `isMinimumDurationRestricted` is true, as HealthKit raises.
    public final var minimumAllowedDuration: TimeInterval {
        guard let shortestDuration else {
            preconditionFailure("\(identifier) does not restrict the minimum duration of its samples")
        }
        return shortestDuration
    }

    /// Whether ``HKHealthStore/recalibrateEstimates(sampleType:date:completion:)`` accepts this type. False for all
    /// types: Apple's system makes estimates that can be recalibrated, while this one records what sensors measure.
    public final var allowsRecalibrationForEstimates: Bool { false }
}
