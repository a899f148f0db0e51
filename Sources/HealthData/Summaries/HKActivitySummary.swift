import Synchronization

/// The activity of one day: the values of the rings and their goals.
// Sendable holds: a lock protects the only stored property.
public class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let day: Mutex<ActivityDay>

    package var record: ActivityDay {
        get { day.withLock { $0 } }
        set { day.withLock { $0 = newValue } }
    }

    /// Creates a summary without a day and with all values 0, for an app's previews and tests.
    public override convenience init() {
        self.init(ActivityDay())
    }

    package init(_ record: ActivityDay) {
        day = Mutex(record)
    }

    /// Returns the day, as era, year, month and day of a calendar, with the calendar set.
    public func dateComponents(for calendar: Calendar) -> DateComponents {
        record.day.map { $0.components(in: calendar) } ?? DateComponents(calendar: calendar)
    }

    /// Whether the move ring counts energy or minutes.
    public var activityMoveMode: HKActivityMoveMode {
        get { record.countsMoveTime ? .appleMoveTime : .activeEnergy }
        set { record.countsMoveTime = newValue == .appleMoveTime }
    }

    /// The active energy in kilocalories. Setting another unit of energy converts, and a unit of another kind stops the
    /// program.
    public var activeEnergyBurned: HKQuantity {
        get { .kilocalories(record.activeEnergyInKilocalories) }
        set { record.activeEnergyInKilocalories = newValue.doubleValue(for: .kilocalorie()) }
    }

    /// The goal in kilocalories. 0 if there is none.
    public var activeEnergyBurnedGoal: HKQuantity {
        get { .kilocalories(record.activeEnergyGoalInKilocalories) }
        set { record.activeEnergyGoalInKilocalories = newValue.doubleValue(for: .kilocalorie()) }
    }

    /// The time of movement in minutes. Used if the user's ring counts minutes.
    public var appleMoveTime: HKQuantity {
        get { .minutes(record.moveTimeInMinutes) }
        set { record.moveTimeInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// The goal in minutes. 0 if there is none.
    public var appleMoveTimeGoal: HKQuantity {
        get { .minutes(record.moveTimeGoalInMinutes) }
        set { record.moveTimeGoalInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// The time of exercise in minutes.
    public var appleExerciseTime: HKQuantity {
        get { .minutes(record.exerciseTimeInMinutes) }
        set { record.exerciseTimeInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// The goal in minutes. 0 if there is none.
    @available(iOS, deprecated: 16.0, message: "Use exerciseTimeGoal")
    public var appleExerciseTimeGoal: HKQuantity {
        get { .minutes(record.exerciseTimeGoalInMinutes ?? 0) }
        set { record.exerciseTimeGoalInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// The goal in minutes. Nil if there is none.
    public var exerciseTimeGoal: HKQuantity? {
        get { record.exerciseTimeGoalInMinutes.map(HKQuantity.minutes) }
        set { record.exerciseTimeGoalInMinutes = newValue?.doubleValue(for: .minute()) }
    }

    /// The number of hours in which the user stood and moved.
    public var appleStandHours: HKQuantity {
        get { .count(record.standHours) }
        set { record.standHours = newValue.doubleValue(for: .count()) }
    }

    /// The goal as a number of hours. 0 if there is none.
    @available(iOS, deprecated: 16.0, message: "Use standHoursGoal")
    public var appleStandHoursGoal: HKQuantity {
        get { .count(record.standHoursGoal ?? 0) }
        set { record.standHoursGoal = newValue.doubleValue(for: .count()) }
    }

    /// The goal as a number of hours. Nil if there is none.
    public var standHoursGoal: HKQuantity? {
        get { record.standHoursGoal.map(HKQuantity.count) }
        set { record.standHoursGoal = newValue?.doubleValue(for: .count()) }
    }

    /// Whether the rings were paused that day.
    public var isPaused: Bool {
        get { record.isPaused }
        set { record.isPaused = newValue }
    }

    /// Returns another summary with the same values. Changing one does not affect the other.
    public func copy(with zone: NSZone? = nil) -> Any { HKActivitySummary(record) }

    /// Returns whether the day and all figures and goals are equal.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKActivitySummary)?.record == record }

    /// The hash of the day and all figures and goals.
    public override var hash: Int { record.hashValue }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "record"),
            let record = try? PropertyListDecoder().decode(ActivityDay.self, from: data as Data)
        else { return nil }
        self.init(record)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        do {
            coder.encode(try PropertyListEncoder().encode(record) as NSData, forKey: "record")
        } catch {
            coder.failWithError(error)
        }
    }
}

extension HKQuantity {
    fileprivate static func kilocalories(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .kilocalorie(), doubleValue: value)
    }

    fileprivate static func minutes(_ value: Double) -> HKQuantity { HKQuantity(unit: .minute(), doubleValue: value) }

    fileprivate static func count(_ value: Double) -> HKQuantity { HKQuantity(unit: .count(), doubleValue: value) }
}

/// The stored values of an activity summary.
package struct ActivityDay: Hashable, Sendable, Codable {
    /// The day. Nil for a summary that an app created.
    package var day: CivilDay?
    package var activeEnergyInKilocalories = 0.0
    package var activeEnergyGoalInKilocalories = 0.0
    package var moveTimeInMinutes = 0.0
    package var moveTimeGoalInMinutes = 0.0
    package var exerciseTimeInMinutes = 0.0
    package var exerciseTimeGoalInMinutes: Double?
    package var standHours = 0.0
    package var standHoursGoal: Double?
    package var countsMoveTime = false
    package var isPaused = false

    package init(day: CivilDay? = nil) {
        self.day = day
    }
}
