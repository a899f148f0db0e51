import Analytics
import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// The content of `workout analyze` for a period.
struct TrainingHistoryReport {
    var history: TrainingHistory
    /// The best efforts of the period. Nil if the user did not ask for them.
    var records: BestEfforts?
    /// Nil if the user did not ask for them.
    var goals: GoalReport?

    func lines(_ page: Page) -> [String] {
        guard history.days.contains(where: { $0.workouts > 0 || $0.fitness ?? 0 > 0 || $0.restingHeartRate != nil })
        else {
            return [localized("No workouts are stored in this period. 'workout list' lists all.")]
        }
        var table = ColumnTable(
            columns: [.init(title: localized("until"))]
                + ["workouts", "load", "fitness", "fatigue", "form", "rest bpm"].map {
                    .init(title: localized($0), isNumber: true)
                })
        for week in weeks {
            guard let last = week.last else { continue }
            let rates = week.compactMap(\.restingHeartRate)
            let loads = week.compactMap(\.load)
            let isKnown = !loads.isEmpty && (loads.contains { $0 > 0 } || week.allSatisfy { $0.load != nil })
            func number(_ value: Double?, _ decimals: Int) -> String {
                value.map { MetricFormat.fixed($0, decimals) } ?? page.dash
            }
            table.rows.append(
                .values([
                    page.shortDay(last.start), "\(week.reduce(0) { $0 + $1.workouts })",
                    number(isKnown ? loads.reduce(0, +) : nil, 0), number(last.fitness, 1), number(last.fatigue, 1),
                    number(last.form, 1),
                    number(rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count), 0),
                ]))
        }
        let goals = goals?.lines(page) ?? []
        return table.lines(page) + [""] + remarks + (goals.isEmpty ? [] : [""] + goals) + (records?.lines(page) ?? [])
    }

    /// Weeks from the first day on, or single days if there are few.
    private var weeks: [[TrainingHistory.Day]] {
        let length = history.days.count <= 14 ? 1 : 7
        return stride(from: 0, to: history.days.count, by: length).map {
            Array(history.days[$0..<min($0 + length, history.days.count)])
        }
    }

    private var remarks: [String] { [restingRemark] + loadRemarks }

    private var restingRemark: String { localized("resting heart rate: %1", restingTrend) }

    /// The trend of the resting heart rate, or why it is unknown.
    var restingTrend: String {
        switch history.restingTrend.changePerWeek {
        case .success(let change):
            localized(
                change < 0 ? "falls by %1 bpm per week" : "rises by %1 bpm per week", MetricFormat.fixed(abs(change), 2)
            )
        case .failure(let reason): reason.sentence
        }
    }

    /// Remarks on workouts without a load, and on the first days, when fitness is not reliable yet.
    var loadRemarks: [String] {
        var remarks = history.withoutLoad.map { reason, workouts in
            localized("%1 without a training load: %2", localizedCount(workouts, "workout"), reason.sentence)
        }
        if !isSettled {
            remarks.append(
                localized(
                    "fitness starts at 0 and is too low for the first %1 days", "\(FitnessAndFatigue.daysUntilSettled)")
            )
        }
        return remarks
    }

    private var isSettled: Bool { history.daysSeenBefore >= FitnessAndFatigue.daysUntilSettled }

    /// One object. Loads are Banister's training impulse.
    var json: String {
        let trend = history.restingTrend
        var missing: [(String, MissingFigure)] = []
        for (name, figure) in [
            ("restingHeartRateInBeatsPerMinute", trend.mean),
            ("restingHeartRateChangeInBeatsPerMinuteAndWeek", trend.changePerWeek),
        ] {
            if case .failure(let reason) = figure { missing.append((name, reason)) }
        }
        return JSONText.object([
            (
                "days",
                .array(
                    history.days.map {
                        .object([
                            ("start", .date($0.start)), ("workouts", .integer($0.workouts)),
                            ("load", .optional($0.load)), ("fitness", .optional($0.fitness)),
                            ("fatigue", .optional($0.fatigue)), ("form", .optional($0.form)),
                            ("restingHeartRateInBeatsPerMinute", .optional($0.restingHeartRate)),
                        ])
                    })
            ),
            ("restingHeartRateInBeatsPerMinute", .optional(try? trend.mean.get())),
            ("restingHeartRateChangeInBeatsPerMinuteAndWeek", .optional(try? trend.changePerWeek.get())),
            (
                "withoutLoad",
                .array(
                    history.withoutLoad.map {
                        .object([
                            ("workouts", .integer($0.workouts)), ("reason", .string($0.reason.code)),
                            ("sentence", .string($0.reason.sentence)),
                        ])
                    })
            ),
            ("isSettled", .boolean(isSettled)), ("records", records?.distanceJSON),
            ("effortsByTime", records?.timeJSON), ("goals", goals?.json),
            ("unavailable", AnalysisReport.json(missing)),
        ]).text
    }
}
