package import Foundation

/// The reason why data is not a valid sample. In Apple's initialisers these are programming errors, for which HealthKit
/// raises and this module traps. Data from files, logs and archives goes through the throwing `validated` functions
/// instead.
package enum SampleError: Error, Equatable {
    case endsBeforeStart(type: String, start: Date, end: Date)
    case tooLong(type: String, seconds: TimeInterval, limit: TimeInterval)
    case tooShort(type: String, seconds: TimeInterval, limit: TimeInterval)
    case incompatibleUnit(type: String, unit: String, expected: String)
    case notFinite(type: String)
    case categoryValue(type: String, value: Int, enumeration: String)
    case contained(type: String, inside: String)
    case metadataValue(key: String, type: String)
    case metadataNumber(key: String, value: String)
    case metadataUnit(key: String, unit: String)
    case unknownActivity(name: String)
    case eventWithDuration(kind: String, seconds: TimeInterval)
    case eventEndsBeforeStart(kind: String)
    case eventOutside(kind: String, date: Date, start: Date, end: Date)
    case activityOutside(start: Date, end: Date?)
    case activitiesOverlap(at: Date)
    case activityNotAllowed(activity: String, workout: String)
    case negativeDuration(seconds: TimeInterval)
    case answers(assessment: String, count: Int, expected: Int)
    case outOfRange(what: String, value: Double, range: ClosedRange<Double>)
}

extension SampleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .endsBeforeStart(let type, let start, let end):
            "A sample of \(type) cannot start at \(start) and end before that, at \(end)."
        case .tooLong(let type, let seconds, let limit):
            "A sample of \(type) cannot last \(seconds) s: its type allows at most \(limit) s."
        case .tooShort(let type, let seconds, let limit):
            "A sample of \(type) cannot last \(seconds) s: its type asks for at least \(limit) s."
        case .incompatibleUnit(let type, let unit, let expected):
            "A quantity in \(unit) cannot be a value of \(type): give one that converts to \(expected)."
        case .notFinite(let type):
            "A value of \(type) must be a finite number."
        case .categoryValue(let type, let value, let enumeration):
            "\(value) is not a value of \(type): give a raw value of \(enumeration)."
        case .contained(let type, let inside):
            "\(inside) cannot hold a sample of \(type): correlations hold quantity and category samples."
        case .metadataValue(let key, let type):
            "Metadata \(key) cannot be of type \(type): give a String, a number, a Bool, a Date or an HKQuantity."
        case .metadataNumber(let key, let value):
            "The number \(value) of metadata \(key) cannot be kept exactly: give one that a Double holds, or a String."
        case .metadataUnit(let key, let unit):
            "The unit \"\(unit)\" of metadata \(key) cannot be read."
        case .unknownActivity(let name):
            "\"\(name)\" is not a workout activity: give the name of a case of HKWorkoutActivityType, such as running."
        case .eventWithDuration(let kind, let seconds):
            "A workout event of kind \(kind) cannot last \(seconds) s: only laps and segments have a duration."
        case .eventEndsBeforeStart(let kind):
            "A workout event of kind \(kind) cannot end before it starts."
        case .eventOutside(let kind, let date, let start, let end):
            "The workout event \(kind) at \(date) lies outside the workout, which lasts from \(start) to \(end)."
        case .activityOutside(let start, let end):
            "The workout activity from \(start) to \(end.map { "\($0)" } ?? "now") lies outside the workout, or ends before it starts."
        case .activitiesOverlap(let date):
            "Two workout activities overlap at \(date): end one before the next begins."
        case .activityNotAllowed(let activity, let workout):
            "A workout of \(workout) cannot have an activity of \(activity)."
        case .negativeDuration(let seconds):
            "A workout cannot last \(seconds) s."
        case .answers(let assessment, let count, let expected):
            "\(assessment) has \(expected) questions, but \(count) answers were given."
        case .outOfRange(let what, let value, let range):
            "\(what) cannot be \(value): it lies in \(range.lowerBound) … \(range.upperBound)."
        }
    }
}

/// Returns the result of `expression`. Traps with the error's message if HealthKit would raise an exception.
func raising<Result>(_ expression: @autoclosure () throws(SampleError) -> Result) -> Result {
    do {
        return try expression()
    } catch {
        preconditionFailure(error.description)
    }
}
