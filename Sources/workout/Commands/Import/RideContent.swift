import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// What distinguishes a workout from others, and how much data it has. Made from a recording or a stored workout.
///
/// The same ride may come as FIT from the watch and as GPX or TCX from a service. Two workouts are the same if they
/// begin within ``startTolerance``, share nine tenths of the longer one's time, and agree on the mean heart rate
/// (within 3 bpm) and the distance (within a tenth, or 100 m), as far as both have them. A trimmed copy is recognised by
/// its ``RideTrace``.
struct RideContent: Equatable {
    static let startTolerance: TimeInterval = 30
    private static let leastOverlap = 0.9

    var start: Date
    var end: Date
    /// The number of readings of each kind: quantity types, `beats` and `positions`.
    var readings: [String: Int] = [:]
    var meanHeartRate: Double?
    var distanceInMeters: Double?
    /// Whether part of the file could not be read or was changed after it was written.
    var isDamaged = false
    /// Empty for a stored workout: it is read when it is needed.
    var trace = RideTrace()

    func isSameRide(as other: RideContent) -> Bool {
        guard abs(start.timeIntervalSince(other.start)) <= Self.startTolerance else { return false }
        let common = min(end, other.end).timeIntervalSince(max(start, other.start))
        let longer = max(end.timeIntervalSince(start), other.end.timeIntervalSince(other.start))
        guard common >= Self.leastOverlap * longer, longer > 0 else { return false }
        if let own = meanHeartRate, let others = other.meanHeartRate, abs(own - others) > 3 { return false }
        if let own = distanceInMeters, let others = other.distanceInMeters,
            abs(own - others) > max(100, 0.1 * max(own, others))
        {
            return false
        }
        return true
    }

    /// Returns whether this one has more kinds of readings. If both have as many, it must have clearly more readings,
    /// or about as many while only the other one is damaged. It is never richer without heart rates or positions that
    /// the other has.
    func isRicher(than other: RideContent) -> Bool {
        let own = readings.filter { $0.value > 0 }
        let others = other.readings.filter { $0.value > 0 }
        if Self.kept.contains(where: { others[$0] != nil && own[$0] == nil }) { return false }
        // Beats alone are worth less than heart rates, however many there are.
        if own["heartRate"] != nil, Array(others.keys) == ["beats"] { return true }
        if own.count != others.count { return own.count > others.count }
        let (sum, otherSum) = (Double(own.values.reduce(0, +)), Double(others.values.reduce(0, +)))
        if sum > Self.clearlyMore * otherSum { return true }
        return !isDamaged && other.isDamaged && otherSum <= Self.clearlyMore * sum
    }

    private static let clearlyMore = 1.05
    private static let kept = ["heartRate", "positions"]

    /// Returns the metadata for a workout made from the recording.
    static func metadata(of recording: Recording) -> [String: MetadataValue] {
        let count = recording.damages
        return count > 0 ? [RecordingWarning.countKey: .number(Double(count))] : [:]
    }

    /// Returns the kinds that the other one does not have, as people read them.
    func kindsMissing(in other: RideContent) -> [String] {
        readings.filter { $0.value > 0 && other.readings[$0.key] ?? 0 == 0 }.keys.sorted().map {
            QuantityLabel.of($0).lowercased()
        }
    }

    /// Kinds that a profile or a formula computes from the rest, or that a person enters. They tell nothing about the
    /// source.
    private static let derived: Set<String> = ["activeEnergyBurned", "basalEnergyBurned", WorkoutLabels.effortType]
}

extension RideContent {
    /// Returns nil for a recording without a workout.
    init?(_ recording: Recording) {
        guard let start = recording.facts.start, let end = recording.facts.end else { return nil }
        self.init(start: start, end: end)
        isDamaged = recording.damages > 0
        var heartRates = 0.0
        var storable: [String: Bool] = [:]
        for entry in recording.entriesWithReadings {
            trace.take(entry)
            switch entry.content {
            case .quantity(let reading) where !Self.derived.contains(reading.type):
                // A store has no other types.
                let isStorable = storable[reading.type] ?? (TypeCatalogue.quantityType(named: reading.type) != nil)
                storable[reading.type] = isStorable
                guard isStorable else { continue }
                readings[reading.type, default: 0] += 1
                if reading.type == "heartRate" { heartRates += reading.value }
                if reading.type.hasPrefix("distance") { distanceInMeters = (distanceInMeters ?? 0) + reading.value }
            case .beats(let beats): readings["beats", default: 0] += beats.intervalsInMilliseconds.count
            case .position: readings["positions", default: 0] += 1
            default: break
            }
        }
        if let count = readings["heartRate"] { meanHeartRate = heartRates / Double(count) }
    }

    /// What an export states of a workout. Its samples are not counted.
    init(stated workout: HKWorkout, hasRoute: Bool = false) {
        self.init(start: workout.startDate, end: workout.endDate)
        isDamaged = workout.metadata?[RecordingWarning.countKey] != nil
        for (type, statistics) in workout.allStatistics where !Self.derived.contains(type.swiftName) {
            readings[type.swiftName] = statistics.total.count
            if type.swiftName == "heartRate" { meanHeartRate = statistics.total.arithmeticMean }
            // An export may state miles.
            if type.swiftName.hasPrefix("distance"), let sum = statistics.sumQuantity() {
                distanceInMeters = (distanceInMeters ?? 0) + sum.doubleValue(for: .meter())
            }
        }
        // Older files state only the total.
        distanceInMeters = distanceInMeters ?? workout.totalDistance?.doubleValue(for: .meter())
        if hasRoute { readings["positions"] = 1 }
    }

    init(_ workout: HKWorkout, in database: any HealthDatabase) throws {
        self.init(stated: workout)
        let own = SampleFilter.workout(workout.uuid)
        // Figures stated by an export do not count.
        for type in workout.allStatistics.keys where workout.sourceRevision.source.isOfExport {
            guard readings[type.swiftName] != nil else { continue }
            readings[type.swiftName] = max(
                1, try database.measurementRows(ofWorkout: workout.uuid, [type]).reduce(0) { $0 + $1.count })
        }
        for series in try database.samples([SampleSelection(HKSeriesType.heartbeat(), own)], sortedBy: [], limit: nil) {
            readings["beats", default: 0] += try database.heartbeats(series.uuid).count
        }
        for case let route as HKWorkoutRoute in try database.samples(
            [SampleSelection(HKSeriesType.workoutRoute(), own)], sortedBy: [], limit: nil)
        {
            readings["positions", default: 0] += route.count
        }
    }
}

extension Recording {
    /// The number of warnings about places in the file. Warnings about the file as a whole are remarks.
    fileprivate var damages: Int { file.warnings.count { $0.byte > 0 } }
}

/// Finds stored recordings of the same workout.
struct DuplicateRides {
    let database: any HealthDatabase

    struct Match {
        var workout: HKWorkout
        var content: RideContent
        /// Whether it came from a file, which then still has the data.
        var isImported: Bool
        /// Whether the user has edited it. No file replaces it then.
        var isEdited: Bool
        /// Whether only a part of one of the two is in the other, as after a trim. Neither replaces the other then.
        var isPart = false
    }

    struct Found {
        /// The content of the recording. Nil if no stored workout was near, so that it need not be read.
        var content: RideContent?
        var matches: [Match] = []

        /// A copy that is as complete as the recording, or that the user has edited. Nothing is stored then.
        var better: Match? {
            guard let content else { return nil }
            return matches.first { $0.isEdited || $0.isPart || !content.isRicher(than: $0.content) }
        }

        /// The copies from poorer files, which are removed. A workout recorded here stays.
        var replaceable: [Match] {
            guard let content else { return [] }
            return matches.filter { $0.isImported && !$0.isPart && content.isRicher(than: $0.content) }
        }

        /// Titles and notes that only poorer copies have.
        var keptLabels: WorkoutLabels {
            replaceable.map(\.workout.labels).reduce(WorkoutLabels()) { $0.completed(by: $1) }
        }
    }

    /// No workout that began earlier still runs.
    private static let longestWorkout: TimeInterval = 86_400

    /// Finds the copies that this command has stored.
    /// - Parameters:
    ///   - apart: Workouts to leave out, such as others of the same file.
    ///   - withExports: Whether workouts of Apple Health exports count.
    func find(
        _ content: () -> RideContent?, from start: Date, to end: Date, apart: Set<UUID> = [], withExports: Bool
    ) throws -> Found {
        let near = try StoredWorkouts(database).all(
            from: start - Self.longestWorkout, to: max(end, start + RideContent.startTolerance + 1)
        ).filter {
            let source = $0.sourceRevision.source
            return (source == HKSource.default() || withExports && source.isOfExport) && !apart.contains($0.uuid)
                && $0.endDate > start - RideContent.startTolerance
        }
        guard !near.isEmpty, let own = content() else { return Found() }
        return Found(content: own, matches: try near.compactMap { try match($0, own) })
    }

    /// Returns nil if the workout is not a copy. A stored part counts if the user trimmed or split it. If its own file
    /// is shorter, the longer recording has more to store.
    private func match(_ workout: HKWorkout, _ own: RideContent) throws -> Match? {
        let content = try RideContent(workout, in: database)
        // A workout named by its content has a UUID of version 8, one recorded here a UUID of version 4.
        var match = Match(
            workout: workout, content: content, isImported: workout.uuid.uuid.6 >> 4 == 8,
            isEdited: try !database.predecessors(of: workout.uuid).isEmpty)
        guard !content.isSameRide(as: own) else { return match }
        match.isPart = true
        let tolerance = RideContent.startTolerance
        let isWithin = own.start >= content.start - tolerance && own.end <= content.end + tolerance
        guard match.isEdited || isWithin else { return nil }
        return try own.trace.isOfSameRecording(as: RideTrace(workout, in: database)) ? match : nil
    }
}
