import Foundation
import HealthKit

/// The workouts of a health store.
struct StoredWorkouts {
    let database: any HealthDatabase

    init(_ database: any HealthDatabase) {
        self.database = database
    }

    /// Returns the workouts, newest first.
    func all(_ filter: WorkoutFilter = WorkoutFilter(), limit: Int? = nil) throws -> [HKWorkout] {
        guard !filter.isDecidedByStore else { return try workouts(filter.stored, limit: limit) }
        let found = try workouts(filter.stored, limit: nil).lazy.filter(filter.matches)
        return limit.map { Array(found.prefix($0)) } ?? Array(found)
    }

    /// Returns the workouts that begin in the range, newest first.
    func all(from start: Date?, to end: Date? = nil) throws -> [HKWorkout] {
        try all(WorkoutFilter(start: start, end: end))
    }

    func contains(_ id: UUID) throws -> Bool {
        try !workouts(.ids([id]), limit: 1).isEmpty
    }

    /// Returns the workout whose ID begins with `prefix`, in any case, with hyphens or without.
    func workout(_ prefix: String) throws -> HKWorkout {
        let digits = prefix.uppercased().filter { $0 != "-" }
        guard !digits.isEmpty, digits.count <= 32, digits.allSatisfy(\.isHexDigit) else {
            throw CommandFailure(
                exitCode: .wrongUsage, message: "'\(prefix)' is not a workout ID; 'workout list' lists them")
        }
        let ids = try UUID(uuidString: prefix).map { Set([$0]) } ?? database.workouts(beginningWith: digits)
        let found = try workouts(.ids(ids), limit: nil)
        guard let workout = try found.first ?? successor(of: digits, as: prefix) else {
            throw CommandFailure(
                exitCode: .badInput, message: "no workout \(prefix); 'workout list' lists all")
        }
        guard found.count <= 1 else {
            let some = found.prefix(3).map(\.uuid.uuidString).joined(separator: ", ")
            throw CommandFailure(
                exitCode: .badInput,
                message: "\(prefix) is ambiguous: \(found.count) workouts, such as \(some); write more of the ID")
        }
        return workout
    }

    /// Returns the workout that replaced an edited one. Its old ID, also shortened, still leads to the new one.
    private func successor(of digits: String, as prefix: String) throws -> HKWorkout? {
        let replaced = try database.replacedWorkouts(beginningWith: digits)
        let ids = try replaced.reduce(into: Set<UUID>()) { $0.formUnion(try database.successors(of: $1)) }
        let successors = try workouts(.ids(ids), limit: nil)
        guard successors.count > 1 else { return successors.first }
        let some = successors.prefix(3).map(\.uuid.uuidString).joined(separator: ", ")
        throw CommandFailure(
            exitCode: .badInput,
            message: "\(prefix) became \(successors.count) workouts, such as \(some); name one of them")
    }

    /// Returns the samples that the workout's app saved with it (readings, beats, the route), with the number of each
    /// type.
    func ownSamples(of workout: HKWorkout) throws -> [(selection: SampleSelection, count: Int)] {
        let own = SampleFilter.and([
            .workout(workout.uuid), .sources([workout.sourceRevision.source.bundleIdentifier]),
        ])
        let types = Set(try database.sampledTypes(ofWorkout: workout.uuid).map(\.type))
        return try TypeCatalogue.objectTypes.compactMap { type in
            guard let type = type as? HKSampleType, types.contains(type) else { return nil }
            let selection = SampleSelection(type, own)
            let count = try database.samples([selection], sortedBy: [], limit: nil).count
            return count > 0 ? (selection, count) : nil
        }
    }

    /// Returns the neighbours of a workout in the list of all: the one that began before it, and the one after.
    func neighbours(of workout: HKWorkout) throws -> (previous: HKWorkout?, next: HKWorkout?) {
        let start = workout.startDate
        func together(at date: Date) throws -> [HKWorkout] {
            try workouts(.and([.startDate(.greaterOrEqual, date), .startDate(.lessOrEqual, date)]), limit: nil)
        }
        let same = try together(at: start)
        guard let index = same.firstIndex(where: { $0.uuid == workout.uuid }) else { return (nil, nil) }
        var previous = index + 1 < same.count ? same[index + 1] : nil
        if previous == nil { previous = try workouts(.startDate(.less, start), limit: 1).first }
        var next = index > 0 ? same[index - 1] : nil
        if next == nil, let later = try workouts(.startDate(.greater, start), limit: 1, newestFirst: false).first {
            next = try together(at: later.startDate).last
        }
        return (previous, next)
    }

    private func workouts(_ filter: SampleFilter, limit: Int?, newestFirst: Bool = true) throws -> [HKWorkout] {
        try database.samples(
            [SampleSelection(HKObjectType.workoutType(), filter)],
            sortedBy: [SampleSort(.startDate, ascending: !newestFirst)], limit: limit
        ).compactMap { $0 as? HKWorkout }
    }
}

extension SampleFilter {
    /// Returns filters for samples that begin at `start` or later, and before `end`.
    static func begins(from start: Date?, to end: Date?) -> [SampleFilter] {
        (start.map { [.startDate(.greaterOrEqual, $0)] } ?? []) + (end.map { [.startDate(.less, $0)] } ?? [])
    }
}
