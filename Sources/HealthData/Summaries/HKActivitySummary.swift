import Synchronization

/// The activity of one day: what moved the rings, and what they were to reach.
// Sendable holds: the only stored property is behind a lock.
public class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let day: Mutex<ActivityDay>

    package var record: ActivityDay {
        get { day.withLock { $0 } }
        set { day.withLock { $0 = newValue } }
    }

    /// A summary of no day, with everything 0: for an app's previews and tests.
    public override convenience init() {
        self.init(ActivityDay())
    }

    package init(_ record: ActivityDay) {
        day = Mutex(record)
    }

    /// The day, as era, year, month and day of a calendar, with the calendar set.
    public func dateComponents(for calendar: Calendar) -> DateComponents {
        record.day.map { $0.components(in: calendar) } ?? DateComponents(calendar: calendar)
    }

    /// Whether the move ring counts energy or minutes.
    public var activityMoveMode: HKActivityMoveMode {
        get { record.countsMoveTime ? .appleMoveTime : .activeEnergy }
        set { record.countsMoveTime = newValue == .appleMoveTime }
    }

    /// In kilocalories; setting another unit of energy converts, and one of another kind stops the program.
    public var activeEnergyBurned: HKQuantity {
        get { .kilocalories(record.activeEnergyInKilocalories) }
        set { record.activeEnergyInKilocalories = newValue.doubleValue(for: .kilocalorie()) }
    }

    /// In kilocalories; 0 where there is no goal.
    public var activeEnergyBurnedGoal: HKQuantity {
        get { .kilocalories(record.activeEnergyGoalInKilocalories) }
        set { record.activeEnergyGoalInKilocalories = newValue.doubleValue(for: .kilocalorie()) }
    }

    /// In minutes; counts where the user's ring counts minutes.
    public var appleMoveTime: HKQuantity {
        get { .minutes(record.moveTimeInMinutes) }
        set { record.moveTimeInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// In minutes; 0 where there is no goal.
    public var appleMoveTimeGoal: HKQuantity {
        get { .minutes(record.moveTimeGoalInMinutes) }
        set { record.moveTimeGoalInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// In minutes.
    public var appleExerciseTime: HKQuantity {
        get { .minutes(record.exerciseTimeInMinutes) }
        set { record.exerciseTimeInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// In minutes; 0 where there is none.
    @available(iOS, deprecated: 16.0, message: "Use exerciseTimeGoal")
    public var appleExerciseTimeGoal: HKQuantity {
        get { .minutes(record.exerciseTimeGoalInMinutes ?? 0) }
        set { record.exerciseTimeGoalInMinutes = newValue.doubleValue(for: .minute()) }
    }

    /// Nil when there is none.
    public var exerciseTimeGoal: HKQuantity? {
        get { record.exerciseTimeGoalInMinutes.map(HKQuantity.minutes) }
        set { record.exerciseTimeGoalInMinutes = newValue?.doubleValue(for: .minute()) }
    }

    /// A count of hours in which the user stood and moved.
    public var appleStandHours: HKQuantity {
        get { .count(record.standHours) }
        set { record.standHours = newValue.doubleValue(for: .count()) }
    }

    /// A count of hours; 0 where there is none.
    @available(iOS, deprecated: 16.0, message: "Use standHoursGoal")
    public var appleStandHoursGoal: HKQuantity {
        get { .count(record.standHoursGoal ?? 0) }
        set { record.standHoursGoal = newValue.doubleValue(for: .count()) }
    }

    /// Nil when there is none.
    public var standHoursGoal: HKQuantity? {
        get { record.standHoursGoal.map(HKQuantity.count) }
        set { record.standHoursGoal = newValue?.doubleValue(for: .count()) }
    }

    /// Whether the rings were paused that day.
    public var isPaused: Bool {
        get { record.isPaused }
        set { record.isPaused = newValue }
    }

    /// Another summary of the same values: changing one leaves the other as it is.
    public func copy(with zone: NSZone? = nil) -> Any { HKActivitySummary(record) }

    /// Equal when the day and all figures and goals are.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKActivitySummary)?.record == record }

    /// Of the day and all figures and goals.
    public override var hash: Int { record.hashValue }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "record"),
            let record = try? PropertyListDecoder().decode(ActivityDay.self, from: data as Data)
        else { return nil }
        self.init(record)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
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

/// What an activity summary says of a day, as it is stored.
package struct ActivityDay: Hashable, Sendable, Codable {
    /// Nil for one that an app made.
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
