package import Recordings

/// The result of an import.
package struct HealthImportSummary: Sendable, Equatable {
    /// By type identifier.
    package var types: [String: ImportCount] = [:]
    /// Something that was left out, or taken in part, and why.
    package struct Skip: Sendable, Hashable {
        /// A type identifier, or the name of an element.
        package var what: String
        package var reason: String

        package init(what: String, reason: String) {
            self.what = what
            self.reason = reason
        }
    }

    package var skipped: [Skip: Int] = [:]
    /// The sources in the file by name, with their numbers of records and workouts.
    package var sources: [String: Int] = [:]
    package var activityDays = 0
    /// The number of workouts that were left out, because the store has them from elsewhere.
    package var copies = 0
    /// The number of workouts whose samples were found by source and time.
    package var workoutsWithSamples = 0
    /// The parts of the wearer's profile that were not known before.
    package var profile: [String] = []
    /// Whether the user ended it before the end of the file.
    package var wasInterrupted = false
    /// The reader's findings about the file.
    package var file = HealthExportSummary()

    package init() {}

    package var added: Int { types.values.reduce(0) { $0 + $1.added } }
    package var known: Int { types.values.reduce(0) { $0 + $1.known } }
    package var skippedCount: Int { skipped.values.reduce(0, +) }

    /// The number of different reasons and sources that are kept, since a file may have a new one in every line.
    private static let nameLimit = 1000
    private static let others = "others, beyond the first \(nameLimit)"

    package mutating func skip(_ what: String, _ reason: String, _ count: Int = 1) {
        let skip = Skip(what: what, reason: reason)
        let isNamed = skipped.count < Self.nameLimit || skipped[skip] != nil
        skipped[isNamed ? skip : Skip(what: Self.others, reason: "several reasons"), default: 0] += count
    }

    /// Counts records and workouts of somebody.
    package mutating func count(_ count: Int, from source: String) {
        let isNamed = sources.count < Self.nameLimit || sources[source] != nil
        sources[isNamed ? source : Self.others, default: 0] += count
    }
}
