public import Foundation
import Synchronization

/// What the activity rings of one day show. Apps read them from the store, or fill one of their own for a view.
// Sendable holds: the only stored property is a mutex over immutable values.
public final class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Values: Sendable, Equatable {
        var day = DateComponents()
        var activityMoveMode = HKActivityMoveMode.activeEnergy
        var isPaused = false
        var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
        var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
        var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
        var exerciseTimeGoal: HKQuantity?
        var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
        var standHoursGoal: HKQuantity?
    }

    private let values: Mutex<Values>

    /// Zero throughout, of no day, without goals for exercise and standing.
    public override convenience init() {
        self.init(Values())
    }

    /// Of a day, given as era, year, month and day of its calendar.
    package convenience init(day: DateComponents) {
        var values = Values()
        values.day = day
        self.init(values)
    }

    private init(_ values: Values) {
        self.values = Mutex(values)
    }

    /// The day as era, year, month and day, with this calendar; without them when the summary is of no day.
    public func dateComponents(for calendar: Calendar) -> DateComponents {
        let day = values.withLock { $0.day }
        var components = DateComponents()
        components.calendar = calendar
        if let date = day.date {
            components = calendar.dateComponents([.calendar, .era, .year, .month, .day], from: date)
        } else {
            (components.era, components.year, components.month, components.day) = (
                day.era, day.year, day.month, day.day
            )
        }
        return components
    }

    /// Which of the two the move ring counts.
    public var activityMoveMode: HKActivityMoveMode {
        get { values.withLock { $0.activityMoveMode } }
        set { values.withLock { $0.activityMoveMode = newValue } }
    }

    /// Whether the user paused the rings that day.
    public var isPaused: Bool {
        get { values.withLock { $0.isPaused } }
        set { values.withLock { $0.isPaused = newValue } }
    }

    /// Energy. Setting any of these quantities in a unit of another kind traps.
    public var activeEnergyBurned: HKQuantity {
        get { values.withLock { $0.activeEnergyBurned } }
        set { set(\.activeEnergyBurned, newValue, .kilocalorie()) }
    }

    public var activeEnergyBurnedGoal: HKQuantity {
        get { values.withLock { $0.activeEnergyBurnedGoal } }
        set { set(\.activeEnergyBurnedGoal, newValue, .kilocalorie()) }
    }

    /// Time.
    public var appleMoveTime: HKQuantity {
        get { values.withLock { $0.appleMoveTime } }
        set { set(\.appleMoveTime, newValue, .minute()) }
    }

    public var appleMoveTimeGoal: HKQuantity {
        get { values.withLock { $0.appleMoveTimeGoal } }
        set { set(\.appleMoveTimeGoal, newValue, .minute()) }
    }

    public var appleExerciseTime: HKQuantity {
        get { values.withLock { $0.appleExerciseTime } }
        set { set(\.appleExerciseTime, newValue, .minute()) }
    }

    /// Nil when there is none.
    public var exerciseTimeGoal: HKQuantity? {
        get { values.withLock { $0.exerciseTimeGoal } }
        set { set(\.exerciseTimeGoal, newValue, .minute()) }
    }

    /// Zero when there is none.
    @available(iOS, deprecated: 16.0, message: "Use exerciseTimeGoal")
    public var appleExerciseTimeGoal: HKQuantity {
        get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { exerciseTimeGoal = newValue }
    }

    /// Hours in which the wearer stood, as a count.
    public var appleStandHours: HKQuantity {
        get { values.withLock { $0.appleStandHours } }
        set { set(\.appleStandHours, newValue, .count()) }
    }

    /// Nil when there is none.
    public var standHoursGoal: HKQuantity? {
        get { values.withLock { $0.standHoursGoal } }
        set { set(\.standHoursGoal, newValue, .count()) }
    }

    /// Zero when there is none.
    @available(iOS, deprecated: 16.0, message: "Use standHoursGoal")
    public var appleStandHoursGoal: HKQuantity {
        get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { standHoursGoal = newValue }
    }

    private func set(_ property: WritableKeyPath<Values, HKQuantity>, _ quantity: HKQuantity, _ unit: HKUnit) {
        Self.require(quantity, unit)
        values.withLock { $0[keyPath: property] = quantity }
    }

    private func set(_ property: WritableKeyPath<Values, HKQuantity?>, _ quantity: HKQuantity?, _ unit: HKUnit) {
        if let quantity { Self.require(quantity, unit) }
        values.withLock { $0[keyPath: property] = quantity }
    }

    private static func require(_ quantity: HKQuantity, _ unit: HKUnit) {
        precondition(
            quantity.is(compatibleWith: unit),
            "an activity summary cannot hold \(quantity.unit.unitString) where \(unit.unitString) belongs")
    }

    private var snapshot: Values { values.withLock { $0 } }

    public func copy(with zone: NSZone? = nil) -> Any { HKActivitySummary(snapshot) }

    /// Summaries are equal when all that they say is.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKActivitySummary)?.snapshot == snapshot }

    public override var hash: Int { snapshot.day.hashValue }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    private static let quantities: [(key: String, path: any WritableKeyPath<Values, HKQuantity> & Sendable)] = [
        ("activeEnergyBurned", \.activeEnergyBurned), ("activeEnergyBurnedGoal", \.activeEnergyBurnedGoal),
        ("appleMoveTime", \.appleMoveTime), ("appleMoveTimeGoal", \.appleMoveTimeGoal),
        ("appleExerciseTime", \.appleExerciseTime), ("appleStandHours", \.appleStandHours),
    ]

    /// Nil when the archive holds no summary, or a quantity in a unit of another kind.
    public convenience init?(coder: NSCoder) {
        var values = Values()
        guard let mode = coder.decodeCount(forKey: "activityMoveMode").flatMap(HKActivityMoveMode.init) else {
            return nil
        }
        values.activityMoveMode = mode
        values.isPaused = coder.decodeCount(forKey: "isPaused") == 1
        for (key, path) in Self.quantities {
            guard let quantity = coder.decodeValue(of: HKQuantity.self, forKey: key),
                quantity.is(compatibleWith: values[keyPath: path].unit)
            else { return nil }
            values[keyPath: path] = quantity
        }
        values.exerciseTimeGoal = coder.decodeValue(of: HKQuantity.self, forKey: "exerciseTimeGoal")
        values.standHoursGoal = coder.decodeValue(of: HKQuantity.self, forKey: "standHoursGoal")
        guard values.exerciseTimeGoal?.is(compatibleWith: .minute()) ?? true,
            values.standHoursGoal?.is(compatibleWith: .count()) ?? true
        else { return nil }
        if let day = coder.decodeValue(of: NSData.self, forKey: "day") {
            guard let day = try? PropertyListDecoder().decode(DateComponents.self, from: day as Data) else {
                return nil
            }
            values.day = day
        }
        self.init(values)
    }

    public func encode(with coder: NSCoder) {
        let values = snapshot
        coder.encode(count: values.activityMoveMode.rawValue, forKey: "activityMoveMode")
        coder.encode(count: values.isPaused ? 1 : 0, forKey: "isPaused")
        for (key, path) in Self.quantities { coder.encode(values[keyPath: path], forKey: key) }
        coder.encodeIfPresent(values.exerciseTimeGoal, forKey: "exerciseTimeGoal")
        coder.encodeIfPresent(values.standHoursGoal, forKey: "standHoursGoal")
        if let day = try? PropertyListEncoder().encode(values.day) { coder.encode(day as NSData, forKey: "day") }
    }
}
