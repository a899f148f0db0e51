import ArgumentParser
import Foundation
import HealthKit

/// The options of a ``WorkoutFilter``.
struct WorkoutFilterArguments: ParsableArguments {
    @OptionGroup var range: DateRangeArguments

    @Option(
        help: "Only this activity type: running, cycling, swimBikeRun …", completion: ActivityArgument.completion,
        transform: ActivityArgument.parse)
    var activity: HKWorkoutActivityType?

    @Option(help: "Only with these words in the title, notes, tags, gear, activity or device.")
    var text: String?

    @Option(help: "Only with this tag; give it several times for several tags.")
    var tag: [String] = []

    @Option(help: "Only from a device with this name, or a part of it.")
    var device: String?

    @Option(help: "Shortest distance: 5km, 800m, 6mi.", transform: DistanceArgument.meters)
    var minDistance: Double?

    @Option(help: "Longest distance.", transform: DistanceArgument.meters)
    var maxDistance: Double?

    @Option(help: "Shortest duration, without pauses: 45m, 1h30m.")
    var minDuration: DurationArgument?

    @Option(help: "Longest duration, without pauses.")
    var maxDuration: DurationArgument?

    func validate() throws {
        if let minDistance, let maxDistance, minDistance > maxDistance {
            throw ValidationError("--min-distance must not be above --max-distance.")
        }
        if let minDuration, let maxDuration, minDuration.seconds > maxDuration.seconds {
            throw ValidationError("--min-duration must not be above --max-duration.")
        }
    }

    private static let names: Set = [
        "from", "to", "activity", "text", "tag", "device", "min-distance", "max-distance", "min-duration",
        "max-duration",
    ]

    /// Returns the filter of a page's address, whose names are the options' names. Ignores empty fields and other
    /// names.
    /// - Throws: `CommandFailure` for a value that the option would not accept.
    static func filter(query: [(name: String, value: String)]) throws -> WorkoutFilter {
        let options = query.filter { names.contains($0.name) && !$0.value.isEmpty }
        do {
            return try parse(options.map { "--\($0.name)=\($0.value)" }).filter
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: message(for: error))
        }
    }

    var filter: WorkoutFilter {
        var filter = WorkoutFilter()
        (filter.start, filter.end) = (range.start, range.end)
        filter.activity = activity
        filter.text = text ?? ""
        filter.tags = tag
        filter.device = device ?? ""
        if minDistance != nil || maxDistance != nil {
            filter.distance = (minDistance ?? 0)...(maxDistance ?? .infinity)
        }
        if minDuration != nil || maxDuration != nil {
            filter.duration = (minDuration?.seconds ?? 0)...(maxDuration?.seconds ?? .infinity)
        }
        return filter
    }
}

/// A distance on the command line, with its unit.
enum DistanceArgument {
    static func meters(_ text: String) throws -> Double {
        guard let match = text.lowercased().wholeMatch(of: #/([0-9]+(?:\.[0-9]+)?)\s*(km|mi|m|yd)/#),
            let number = Double(match.1), number.isFinite
        else { throw ValidationError("Write a distance with its unit: 5km, 800m, 6mi or 400yd.") }
        switch match.2 {
        case "km": return number * 1_000
        case "mi": return number * DistanceUnits.metersPerMile
        case "yd": return number * DistanceUnits.metersPerYard
        default: return number
        }
    }
}
