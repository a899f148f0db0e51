import Foundation

/// Files of a takeout that hold readings of exercises which a list beside them describes.
public struct TakeoutFiles: Sendable {
    /// The heart rates of whole days from Fitbit. Nil without any.
    let heartRates: FitbitHeartRates?
    /// The series of exercises from Samsung Health, by the names of their files without folders.
    let series: [String: RecordingSource]

    /// Finds those files among others.
    /// - Parameter files: Names with their folders, and contents.
    public init(_ files: some Sequence<(name: String, source: RecordingSource)>) {
        heartRates = FitbitHeartRates(files)
        var series: [String: RecordingSource] = [:]
        for (name, source) in files {
            let last = Self.lastPart(of: name)
            if last.hasSuffix(SamsungExercise.liveData) || last.hasSuffix(SamsungExercise.positions) {
                series[String(last)] = source
            }
        }
        self.series = series
    }

    private init(heartRates: FitbitHeartRates?, series: [String: RecordingSource]) {
        self.heartRates = heartRates
        self.series = series
    }

    /// Returns the same files. If there are none of a kind, those of an outer folder or archive are used.
    public func completed(by outer: TakeoutFiles?) -> TakeoutFiles {
        TakeoutFiles(
            heartRates: heartRates ?? outer?.heartRates,
            series: series.isEmpty ? outer?.series ?? [:] : series)
    }

    /// Returns whether a file of a takeout holds no workout, although it may look like a table of one: days and series
    /// of Samsung Health. Its list of exercises is the only file with workouts.
    public static func holdsNoWorkout(_ name: String) -> Bool {
        let last = lastPart(of: name)
        guard !last.hasPrefix("com.samsung.shealth.exercise."), !last.hasPrefix("com.samsung.health.exercise.") else {
            // Other tables of exercises have a word after these, where the list has its date.
            let word = last.split(separator: ".").dropFirst(4).first ?? ""
            return word != "csv" && !word.allSatisfy(\.isNumber)
        }
        return last.hasPrefix("com.samsung.") || name.contains("jsons/com.samsung.")
    }

    private static func lastPart(of name: String) -> Substring { name.split(separator: "/").last ?? "" }
}
