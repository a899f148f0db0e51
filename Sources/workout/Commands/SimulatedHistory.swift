import Engine
import Foundation
import HealthKit
import Recordings

/// Simulated workouts at regular intervals, each with a seed of its own.
struct SimulatedHistory {
    static let mostWorkouts = 10_000
    let workouts: [SimulatedWorkout]

    /// - Parameter count: Nil for as many as end before now.
    /// - Throws: `CommandFailure` if there would be none, or too many.
    init(
        profile: WorkoutProfile, firstSeed: UInt64, start: Date, every: StatisticsInterval, count: Int?,
        duration: TimeInterval?, now: Date = Date(), calendar: Calendar = .gregorian(.current)
    ) throws {
        var workouts: [SimulatedWorkout] = []
        while count.map({ workouts.count < $0 }) ?? true {
            guard let date = every.date(workouts.count, from: start, calendar) else { break }
            let workout = SimulatedWorkout(
                profile: profile, seed: firstSeed &+ UInt64(workouts.count), start: date, duration: duration)
            if count == nil, date + Double(workout.seconds ?? 0) > now { break }
            guard workouts.count < Self.mostWorkouts else {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message:
                        "this would be more than \(Self.mostWorkouts) workouts; choose a later --start or a longer --every"
                )
            }
            workouts.append(workout)
        }
        guard !workouts.isEmpty else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "no workout from --start on has finished yet; choose an earlier --start, or add --count")
        }
        self.workouts = workouts
    }

    /// `2026-01-01T080000Z.jsonl`
    static func fileName(of workout: SimulatedWorkout) -> String {
        let style = Date.ISO8601FormatStyle(timeSeparator: .omitted, timeZone: .gmt)
        return workout.start.formatted(style) + ".jsonl"
    }

    /// `2026-01-01 08:00 easyRun`
    static func title(of workout: SimulatedWorkout) -> String {
        let page = Page()
        return "\(page.day(workout.start)), \(page.clock(workout.start))  \(workout.profile.name)"
    }
}

extension SimulatedWorkout {
    /// The recording that reading its file would give. Only for workouts that end.
    var recording: Recording { Recording(entries: Array(self), file: RecordingSummary(format: "jsonl")) }
}

extension DateArgument {
    /// The start of the workout. Nobody begins at midnight, so a whole day, month or year means 08:00 on its first day.
    var startOfWorkout: Date {
        guard start < end else { return start }
        return Calendar.gregorian(.current).date(bySettingHour: 8, minute: 0, second: 0, of: start) ?? start
    }
}

extension StatisticsInterval {
    /// Returns the date that many intervals after `start`. Days and longer units follow the calendar.
    func date(_ number: Int, from start: Date, _ calendar: Calendar) -> Date? {
        let (value, overflows) = number.multipliedReportingOverflow(by: count)
        return overflows ? nil : calendar.date(byAdding: step, value: value, to: start)
    }

    private var step: Calendar.Component {
        switch unit {
        case .minute: .minute
        case .hour: .hour
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }
}
