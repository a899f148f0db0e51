import Analytics
import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// The most notable fact about a workout: a record, the longest, the fastest, the highest load of its month.
enum Headline: Equatable {
    enum Span: Equatable { case allTime, year, month }

    case record(BestEffort)
    case longest(Span)
    /// The fastest on average among those of about the same distance or longer.
    case fastest
    case highestLoad

    /// The data compared between workouts.
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

    /// The least number of other workouts to compare with: of all time or a month, and of a year. The best of fewer
    /// means nothing.
    private static let fewestOthers = 2
    private static let fewestOthersInYear = 5
    /// Workouts shorter than this share of the distance are not compared, since a shorter one is faster.
    private static let leastShareOfDistance = 0.9

    /// Finds the first of these that holds: a record, the longest of all time, the fastest, the highest load of the
    /// month, the longest of the year or of the month.
    /// - Parameters:
    ///   - records: The records over all history that the workout holds.
    ///   - others: All other workouts, of all sports, before and after.
    ///   - loads: Returns the loads of the workout and of the others of its month. Called only if nothing better was
    ///     found.
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

    /// Returns the record of the longest distance, or else of the longest time of a mean power. A mean speed adds
    /// little to a distance and is left out.
    private static func greatest(_ records: [BestEffort]) -> BestEffort? {
        let byDistance = records.filter { $0.key.measure == .distance }
        let byPower = records.filter { $0.key.measure == .power }
        return (byDistance.isEmpty ? byPower : byDistance).max { $0.key.length < $1.key.length }
    }

    /// Compares by distance, or by time if the workout has no distance.
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
    /// The most notable records of a period: those of all history set in its workouts, the longest distance of each
    /// sport, at most three. Nil without one.
    var headlineOfPeriod: String? {
        let longest = Dictionary(grouping: filter { $0.key.measure == .distance }, by: \.key.activity)
            .compactMap { $0.value.max { $0.key.length < $1.key.length } }
            .sorted { ($1.key.length, $0.key.activity) < ($0.key.length, $1.key.activity) }
        guard !longest.isEmpty else { return nil }
        let names = longest.prefix(3).map { "\($0.lengthText) (\(ActivityTitle.inSentence($0.key.activity)))" }
        return localized("Records of all time: %1.", names.joined(separator: ", "))
    }
}
