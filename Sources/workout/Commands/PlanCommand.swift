import ArgumentParser
import Foundation
import HealthKit
import Recordings
import Reports
import StoredWorkouts

/// `workout plan`: shows a structured workout.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show the steps of a workout plan.",
        discussion: """
            Reads .zwo, .erg and .mrc files, FIT workouts, and plans as text. In text, each line is a step: a duration (or lap, for \
            a step that you end), a target (200W, 100-180W, 85%, grade 3 or free), and, if you like, a cadence and a sentence:

              name Four times four
              10m 50-75%
              4x
                4m 105% 90rpm "Hold it"
                3m 55%
              10m free

            To ride it: workout record --plan FILE.

            Examples:
              workout plan intervals.zwo
              workout plan intervals.zwo --ftp 250
            """)

    @Argument(help: "The plan.", completion: .file())
    var file: String

    @Option(help: "Show watts instead of percents: your threshold power, in watts.")
    var ftp: Double?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try TrainerOptions.validate(ftp: ftp)
    }

    func run() throws {
        var plan = try TrainerOptions.read(file)
        if let ftp { plan = plan.inWatts(thresholdPowerInWatts: ftp) }
        if json { return print(Self.text(of: plan).text) }
        let total = plan.seconds.map(MetricFormat.time) ?? localized("as long as you like")
        let count = plan.steps.count == 1 ? localized("1 step") : localized("%1 steps", "\(plan.steps.count)")
        print("\(plan.name.map { DisplayWidth.printable($0) } ?? localized("Workout plan")), \(count), \(total)")
        var start = 0.0
        for (index, step) in plan.steps.enumerated() {
            let length = step.seconds.map { MetricFormat.shortTime($0) } ?? localized("lap")
            var line =
                Self.padded("\(index + 1)", 5) + Self.padded(MetricFormat.time(start), 10) + Self.padded(length, 9)
            line += "  " + PlanRun.text(of: step)
            if let cadence = step.cadencePerMinute { line += "  " + MetricFormat.cadence(cadence) }
            for note in step.notes { line += "  " + DisplayWidth.printable(note.text) }
            print(line)
            start += step.seconds ?? 0
        }
    }

    private static func padded(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.count)) + text
    }

    private static func text(of plan: WorkoutPlan) -> JSONText {
        .object([
            ("name", .orNull(plan.name)), ("durationInSeconds", plan.seconds.map { .number($0) } ?? .null),
            ("steps", .array(plan.steps.map(text))),
        ])
    }

    private static func text(of step: WorkoutPlan.Step) -> JSONText {
        let target: JSONText =
            switch step.target {
            case .power(let from, let to): .object([("fromWatts", .number(from)), ("toWatts", .number(to))])
            case .share(let from, let to):
                .object([("fromShareOfThreshold", .number(from)), ("toShareOfThreshold", .number(to))])
            case .grade(let percent): .object([("gradeInPercent", .number(percent))])
            case .free: .null
            }
        let notes = step.notes.map { note -> JSONText in
            .object([("startInSeconds", .number(note.start)), ("text", .string(note.text))])
        }
        return .object([
            ("durationInSeconds", step.seconds.map { .number($0) } ?? .null), ("target", target),
            ("cadencePerMinute", step.cadencePerMinute.map { .number($0) }), ("notes", .array(notes)),
        ])
    }
}
