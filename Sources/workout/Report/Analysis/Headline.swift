import Analytics
import Foundation
import HealthKit
import Reports

/// What mattered most about a workout: a record, the longest, the fastest, the highest load of its month.
enum Headline: Equatable {
    enum Span: Equatable { case allTime, year, month }

    case record(BestEffort)
    case longest(Span)
    /// On average, among those that led about as far.
    case fastest
    case highestLoad

    /// What is known of each workout.
    struct Facts: Equatable {
        var activity: String
        var start: Date
        var seconds: Double
        var meters: Double?

        init(_ activity: String, _ start: Date, seconds: Double, meters: Double? = nil) {
            self.activity = activity
            self.start = start
            self.seconds = seconds
            self.meters = meters
        }

        init(_ workout: HKWorkout) {
            self.init(
                workout.workoutActivityType.caseName, workout.startDate, seconds: workout.duration,
                meters: workout.metersCovered)
        }

        var metersPerSecond: Double? { meters.flatMap { seconds > 0 ? $0 / seconds : nil } }
    }

    /// To be the best of fewer says nothing: of all time and of a month, and of a year.
    private static let fewestOthers = 2
    private static let fewestOthersInYear = 5
    /// Who led less far was faster for that.
    private static let leastShareOfDistance = 0.9

    /// The first of these that holds: a record, the longest of all time, the fastest, the highest load of the month, the longest of the
    /// year or of the month.
    /// - Parameters:
    ///   - records: That the workout holds over all history.
    ///   - others: All other workouts, of all sports, before and after.
    ///   - loads: Of the workout, and of the others of its month; asked only if nothing better was found.
    init?(
        _ own: Facts, records: [BestEffort], others: [Facts], _ calendar: Calendar,
        loads: () throws -> (own: Double?, others: [Double])
    ) rethrows {
        let sameSport = others.filter { $0.activity == own.activity }
        if !sameSport.isEmpty, let record = Self.greatest(records) {
            self = .record(record)
        } else if Self.isLongest(own, among: sameSport, atLeast: Self.fewestOthers) {
            self = .longest(.allTime)
        } else if Self.isFastest(own, among: sameSport) {
            self = .fastest
        } else if try Self.isHighest(loads()) {
            self = .highestLoad
        } else if Self.isLongest(own, among: sameSport, in: .year, calendar, atLeast: Self.fewestOthersInYear) {
            self = .longest(.year)
        } else if Self.isLongest(own, among: sameSport, in: .month, calendar, atLeast: Self.fewestOthers) {
            self = .longest(.month)
        } else {
            return nil
        }
    }

    /// The longest distance, or else the longest time of a mean power. A mean speed says little more than a distance does.
    private static func greatest(_ records: [BestEffort]) -> BestEffort? {
        let byDistance = records.filter { $0.key.measure == .distance }
        let byPower = records.filter { $0.key.measure == .power }
        return (byDistance.isEmpty ? byPower : byDistance).max { $0.key.length < $1.key.length }
    }

    /// By distance; by time if the workout has none.
    private static func isLongest(_ own: Facts, among others: [Facts], atLeast count: Int) -> Bool {
        guard let meters = own.meters else {
            return others.count >= count && others.allSatisfy { $0.seconds < own.seconds }
        }
        let known = others.compactMap(\.meters)
        return known.count >= count && known.allSatisfy { $0 < meters }
    }

    private static func isLongest(
        _ own: Facts, among others: [Facts], in span: Calendar.Component, _ calendar: Calendar, atLeast count: Int
    ) -> Bool {
        let near = others.filter { calendar.isDate($0.start, equalTo: own.start, toGranularity: span) }
        return isLongest(own, among: near, atLeast: count)
    }

    private static func isFastest(_ own: Facts, among others: [Facts]) -> Bool {
        guard let meters = own.meters, let speed = own.metersPerSecond else { return false }
        let alike = others.filter { $0.meters ?? 0 >= meters * leastShareOfDistance }.compactMap(\.metersPerSecond)
        return alike.count >= fewestOthers && alike.allSatisfy { $0 < speed }
    }

    private static func isHighest(_ loads: (own: Double?, others: [Double])) -> Bool {
        guard let own = loads.own, loads.others.count >= fewestOthers else { return false }
        return loads.others.allSatisfy { $0 < own }
    }

    // MARK: In words

    /// - Parameter load: Banister's training impulse.
    func sentence(_ own: Facts, load: Double?, _ page: Page) -> String {
        let sport = ActivityTitle.inSentence(own.activity)
        let length = own.meters.map(MetricFormat.distance) ?? MetricFormat.time(own.seconds)
        switch self {
        case .record(let record):
            return record.key.measure == .power
                ? localized("Your highest power over %1: %2.", record.lengthText, record.valueText)
                : localized("Your fastest %1: %2.", record.lengthText, record.valueText)
        case .longest(.allTime):
            return own.meters == nil
                ? localized("Your longest time in %1: %2.", sport, length)
                : localized("Your longest distance in %1: %2.", sport, length)
        case .longest(.year):
            let year = String(page.sortableDay(own.start).prefix(4))
            return own.meters == nil
                ? localized("Your longest time in %1 of %2: %3.", sport, year, length)
                : localized("Your longest distance in %1 of %2: %3.", sport, year, length)
        case .longest(.month):
            let month = page.month(own.start)
            return own.meters == nil
                ? localized("Your longest time in %1 of the month %2: %3.", sport, month, length)
                : localized("Your longest distance in %1 of the month %2: %3.", sport, month, length)
        case .fastest:
            let speed = own.metersPerSecond.map { SpeedForm(own.activity).text($0) } ?? ""
            return localized("Your fastest average in %1 over such a distance: %2.", sport, speed)
        case .highestLoad:
            return localized(
                "Your highest training load of %1: %2.", page.month(own.start), MetricFormat.fixed(load ?? 0, 0))
        }
    }
}

extension [BestEffort] {
    /// What mattered most in a period: of the records of all history that its workouts hold, the longest distance of each sport, three of
    /// them at most. Nil without one.
    var headlineOfPeriod: String? {
        let longest = Dictionary(grouping: filter { $0.key.measure == .distance }, by: \.key.activity)
            .compactMap { $0.value.max { $0.key.length < $1.key.length } }
            .sorted { ($1.key.length, $0.key.activity) < ($0.key.length, $1.key.activity) }
        guard !longest.isEmpty else { return nil }
        let names = longest.prefix(3).map { "\($0.lengthText) (\(ActivityTitle.inSentence($0.key.activity)))" }
        return localized("Records of all time: %1.", names.joined(separator: ", "))
    }
}
