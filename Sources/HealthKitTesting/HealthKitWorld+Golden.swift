import Engine
public import HealthKit
import SessionLog
import StoredWorkouts

extension HealthKitWorld {
    /// The variable that updates golden files if results differ: `HEALTHKIT_UPDATE_GOLDEN=1 swift test`.
    public static let updateVariable = "HEALTHKIT_UPDATE_GOLDEN"

    /// Compares the summary of a workout with a golden file: JSON as `workout show --json` prints it. Identity and app name are
    /// ignored, and times are relative to the start of the workout.
    ///
    /// With `HEALTHKIT_UPDATE_GOLDEN=1`, a missing or different file is written instead.
    ///
    /// - Parameters:
    ///   - path: The file, beside the test's file or in a folder above it, up to the package's.
    ///   - tolerance: Allowed differences: absolute (`0.5`), relative (`1%`) or for a member (`average=1%`).
    /// - Throws: ``WorldError`` with one line per difference; `HKError` if the file is not a summary.
    public func expectSummary(
        of workout: HKWorkout, matches path: String, tolerance: [String] = [], file: String = #filePath
    ) throws {
        try expectSummary(
            of: workout, matches: path, tolerance: tolerance, file: file,
            updates: !(ProcessInfo.processInfo.environment[Self.updateVariable] ?? "").isEmpty)
    }

    package func expectSummary(
        of workout: HKWorkout, matches path: String, tolerance: [String], file: String, updates: Bool
    ) throws {
        let comparison = SummaryComparison(try SummaryTolerance(tolerance))
        let summary = try summary(of: workout)
        guard
            let golden = TestFile.places(of: path, beside: file).first(where: {
                FileManager.default.fileExists(atPath: $0.path)
            })
        else {
            let place = TestFile.places(of: path, beside: file)[0]
            guard updates else {
                throw WorldError(
                    "The golden file \(place.path) does not exist. Run the test once with \(Self.updateVariable)=1 to write it, "
                        + "and check its content.")
            }
            return try summary.write(to: place)
        }
        let differences = try comparison.differences(Data(contentsOf: golden), summary)
        guard !differences.isEmpty else { return }
        if updates { return try summary.write(to: golden) }
        throw WorldError(
            "The summary of the workout differs from \(golden.path) (first the file, then the workout; "
                + "\(Self.updateVariable)=1 rewrites it):\n" + differences.map { "  \($0)" }.joined(separator: "\n"))
    }

    /// In lines, so that a change of a golden file is seen where it is.
    private func summary(of workout: HKWorkout) throws -> Data {
        let own = workouts.all.first { $0.id == workout.uuid }
        let wearer = own?.state.wearer ?? lifetime.environment?.wearer
        let line = SummaryJSON.line(workout: try WorkoutSummary(workout, in: database, wearer: wearer))
        var object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        if var workout = object["workout"] as? [String: Any] {
            for name in ["id", "source"] { workout[name] = nil }
            object["workout"] = workout
        }
        return try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
            + Data("\n".utf8)
    }
}
