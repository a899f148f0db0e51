public import Foundation
package import SessionLog
import Synchronization

/// The activity type and the location of a session.
// Sendable holds: the only stored property is a mutex with immutable values.
public final class HKWorkoutConfiguration: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private struct Values: Sendable, Equatable {
        var activityType = HKWorkoutActivityType.other
        var locationType = HKWorkoutSessionLocationType.unknown
        var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown
        var lapLength: HKQuantity?
    }

    private let values: Mutex<Values>

    /// Creates a configuration with activity type `.other` and an unknown location.
    public override convenience init() {
        self.init(Values())
    }

    private init(_ values: Values) {
        self.values = Mutex(values)
    }

    /// The activity type. `.other` by default.
    public var activityType: HKWorkoutActivityType {
        get { values.withLock { $0.activityType } }
        set { values.withLock { $0.activityType = newValue } }
    }

    /// Indoors or outdoors. `.unknown` by default.
    public var locationType: HKWorkoutSessionLocationType {
        get { values.withLock { $0.locationType } }
        set { values.withLock { $0.locationType = newValue } }
    }

    /// For swimming: in a pool, with laps of ``lapLength``, or in open water.
    public var swimmingLocationType: HKWorkoutSwimmingLocationType {
        get { values.withLock { $0.swimmingLocationType } }
        set { values.withLock { $0.swimmingLocationType = newValue } }
    }

    /// The length of the pool. Nil if unknown. Setting a quantity that is not a length stops the program.
    public var lapLength: HKQuantity? {
        get { values.withLock { $0.lapLength } }
        set {
            precondition(
                newValue?.is(compatibleWith: .meter()) ?? true,
                "the lap length of a workout cannot be in \(newValue?.unit.unitString ?? ""): give a length")
            values.withLock { $0.lapLength = newValue }
        }
    }

    private var snapshot: Values { values.withLock { $0 } }

    /// Returns a copy.
    public func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    package func duplicate() -> HKWorkoutConfiguration { HKWorkoutConfiguration(snapshot) }

    // MARK: Equality

    /// Returns whether activity type, locations and lap length are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutConfiguration)?.snapshot == snapshot
    }

    /// The hash of activity type and locations.
    public override var hash: Int {
        let values = snapshot
        var hasher = Hasher()
        hasher.combine(values.activityType)
        hasher.combine(values.locationType)
        hasher.combine(values.swimmingLocationType)
        return hasher.finalize()
    }

    /// The activity type and the location: `running outdoor`.
    public override var description: String {
        let values = snapshot
        return "\(values.activityType.caseName) \(values.locationType.caseName)"
    }

    // MARK: Session logs

    /// Throws if no activity has the name in the description.
    package convenience init(_ description: ActivityDescription) throws(SampleError) {
        guard let activity = HKWorkoutActivityType(caseName: description.activity) else {
            throw .unknownActivity(name: description.activity)
        }
        self.init(
            Values(
                activityType: activity,
                locationType: HKWorkoutSessionLocationType(caseName: description.location.rawValue) ?? .unknown,
                swimmingLocationType: HKWorkoutSwimmingLocationType(caseName: description.swimmingLocation.rawValue)
                    ?? .unknown,
                lapLength: description.lapLengthInMeters.map { HKQuantity(unit: .meter(), doubleValue: $0) }))
    }

    /// The description for session logs. The lap length is in metres, whatever its unit was.
    package var activityDescription: ActivityDescription {
        let values = snapshot
        return ActivityDescription(
            activity: values.activityType.caseName,
            location: ActivityDescription.Location(rawValue: values.locationType.caseName) ?? .unknown,
            swimmingLocation: ActivityDescription.SwimmingLocation(rawValue: values.swimmingLocationType.caseName)
                ?? .unknown,
            lapLengthInMeters: values.lapLength?.doubleValue(for: .meter()))
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard
            let activity = coder.decodeCount(forKey: "activityType")
                .flatMap({ HKWorkoutActivityType(rawValue: UInt(clamping: $0)) }),
            let location = coder.decodeCount(forKey: "locationType").flatMap(HKWorkoutSessionLocationType.init),
            let swimming = coder.decodeCount(forKey: "swimmingLocationType")
                .flatMap(HKWorkoutSwimmingLocationType.init)
        else { return nil }
        let lapLength = coder.decodeValue(of: HKQuantity.self, forKey: "lapLength")
        guard lapLength?.is(compatibleWith: .meter()) ?? true else { return nil }
        self.init(
            Values(
                activityType: activity, locationType: location, swimmingLocationType: swimming, lapLength: lapLength))
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        let values = snapshot
        coder.encode(count: Int(values.activityType.rawValue), forKey: "activityType")
        coder.encode(count: values.locationType.rawValue, forKey: "locationType")
        coder.encode(count: values.swimmingLocationType.rawValue, forKey: "swimmingLocationType")
        coder.encodeIfPresent(values.lapLength, forKey: "lapLength")
    }
}

/// Whether a workout is indoors or outdoors.
public enum HKWorkoutSessionLocationType: Int, Sendable {
    /// Unknown.
    case unknown = 1
    /// Indoors.
    case indoor = 2
    /// Outdoors.
    case outdoor = 3
}

/// The location of a swim.
public enum HKWorkoutSwimmingLocationType: Int, Sendable {
    /// Unknown, or not a swim.
    case unknown = 0
    /// In a pool, with laps of a known length.
    case pool = 1
    /// In open water: a lake, a river or the sea.
    case openWater = 2
}
