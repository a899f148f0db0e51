package import SessionLog

/// A change of stored workouts as a pure function: workouts and their logs are inputs and outputs.
///
/// Objects in HealthKit are immutable, so each resulting workout is another object that replaces the old ones
/// (``WorkoutReplacement``). It keeps their source, device and metadata. A workout whose times and sport do not change
/// also keeps its samples and figures. Otherwise all figures are computed from the log.
package enum WorkoutEdit: Sendable {
    case label(WorkoutLabels.Change)
    case activity(HKWorkoutActivityType)
    /// Keeps the time between two dates. Nil means the workout's own start or end.
    case trim(from: Date?, to: Date?)
    /// Splits a workout at these dates.
    case split(at: [Date])
    /// Joins consecutive workouts.
    case merge

    /// A workout during an edit.
    package struct Content: Sendable {
        package var workout: HKWorkout
        /// The log of ``StoredWorkoutEntries``. Nil if no edit needs it.
        package var log: [SessionEntry]?
        /// Whether the log differs from that of the stored samples.
        package var isNewLog = false

        package init(_ workout: HKWorkout, log: [SessionEntry]?) {
            self.workout = workout
            self.log = log
        }
    }

    /// Whether it changes figures.
    var needsLog: Bool { if case .label = self { false } else { true } }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` with the reason, if the edit is not possible.
    package func applied(to contents: [Content]) throws -> [Content] {
        switch self {
        case .label(let change): try contents.map { try Self.label($0, change) }
        case .activity(let activity): try contents.map { try Self.change($0, to: activity) }
        case .trim(let start, let end): try contents.map { try Self.trim($0, start, end) }
        case .split(let dates): try contents.flatMap { try Self.split($0, dates) }
        case .merge: [try Self.merge(contents)]
        }
    }

    private static func label(_ content: Content, _ change: WorkoutLabels.Change) throws -> Content {
        let workout = content.workout
        let metadata = workout.labels.applying(change).added(to: workout.metadata)
        var identity = try HKError.translating { try workout.identity.with(metadata: metadata) }
        identity.uuid = UUID()
        var labelled = content
        // The copy of a workout is always a workout.
        guard let copy = workout.with(identity) as? HKWorkout else { return content }
        labelled.workout = copy
        return labelled
    }

    private static func change(_ content: Content, to activity: HKWorkoutActivityType) throws -> Content {
        guard
            content.workout.namedActivities.allSatisfy({ leg in
                leg.workoutConfiguration.activityType == content.workout.workoutActivityType
            })
        else {
            throw refusal("The workout has legs of several activities, so it keeps its own. Split it first.")
        }
        var metadata = content.workout.metadata ?? [:]
        if activity != .swimming {
            metadata[HKMetadataKeyLapLength] = nil
            metadata[HKMetadataKeySwimmingLocationType] = nil
        }
        return try folded(content.entries.of(activity), like: content.workout, metadata)
    }

    private static func trim(_ content: Content, _ start: Date?, _ end: Date?) throws -> Content {
        let workout = content.workout
        let (first, last) = (start ?? workout.startDate, end ?? workout.endDate)
        guard first >= workout.startDate, last <= workout.endDate, first < last else {
            throw refusal(
                "The part to keep, \(workout.clock(first)) to \(workout.clock(last)), is not in the workout, which lasts from "
                    + "\(workout.clock(workout.startDate)) to \(workout.clock(workout.endDate)).")
        }
        let part = content.entries.part(from: first, to: last, isLast: true)
        return try folded(part, like: workout, workout.metadata)
    }

    private static func split(_ content: Content, _ dates: [Date]) throws -> [Content] {
        let workout = content.workout
        guard !dates.isEmpty, dates.allSatisfy({ workout.startDate < $0 && $0 < workout.endDate }) else {
            throw refusal(
                "A workout can be split between its start and its end, \(workout.clock(workout.startDate)) and "
                    + "\(workout.clock(workout.endDate)).")
        }
        let bounds = [workout.startDate] + Set(dates).sorted() + [workout.endDate]
        return try zip(bounds, bounds.dropFirst()).enumerated().map { number, bounds in
            let isLast = bounds.1 == workout.endDate
            let part = content.entries.part(from: bounds.0, to: bounds.1, isLast: isLast)
            var metadata = workout.metadata ?? [:]
            if number > 0 {
                // Two objects cannot be versions of the same one.
                metadata[HKMetadataKeySyncIdentifier] = nil
                metadata[HKMetadataKeySyncVersion] = nil
            }
            return try folded(part, like: workout, metadata)
        }
    }

    /// Workouts further apart are no parts of one: an ID was mistaken for another.
    private static let longestMergedGapInSeconds = 86_400.0

    private static func merge(_ contents: [Content]) throws -> Content {
        let contents = contents.sorted { $0.workout.startDate < $1.workout.startDate }
        guard let first = contents.first, contents.count > 1 else {
            throw refusal("Merging needs at least two different workouts.")
        }
        for (one, next) in zip(contents, contents.dropFirst()) where next.workout.startDate < one.workout.endDate {
            throw refusal(
                "The workouts of \(one.workout.clock(one.workout.startDate)) and \(next.workout.clock(next.workout.startDate)) "
                    + "overlap. Trim one of them first.")
        }
        for (one, next) in zip(contents, contents.dropFirst())
        where next.workout.startDate.timeIntervalSince(one.workout.endDate) > longestMergedGapInSeconds {
            throw refusal(
                "More than a day lies between the workouts of \(one.workout.clock(one.workout.startDate)) and "
                    + "\(next.workout.clock(next.workout.startDate)), so they stay apart.")
        }
        guard Set(contents.map(\.workout.workoutActivityType)).count == 1 else {
            throw refusal("The workouts are of different activities. Give them the same activity first.")
        }
        guard Set(contents.map(\.workout.sourceRevision.source)).count == 1 else {
            throw refusal("The workouts come from different apps, so they stay apart.")
        }
        var metadata: [String: Any] = [:]
        for content in contents { metadata.merge(content.workout.metadata ?? [:]) { first, _ in first } }
        metadata[WorkoutLabels.tagsKey] = nil
        metadata[WorkoutLabels.notesKey] = nil
        var labels = WorkoutLabels(metadata)
        labels.tags = Set(contents.flatMap(\.workout.labels.tags)).sorted()
        let notes = contents.compactMap(\.workout.labels.notes)
        labels.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
        return try folded(.joined(contents.map(\.entries)), like: first.workout, labels.added(to: metadata))
    }

    /// Computes the workout from a log.
    private static func folded(
        _ log: [SessionEntry], like workout: HKWorkout, _ metadata: [String: Any]?
    ) throws -> Content {
        var state = SessionState()
        for entry in log { state.apply(entry) }
        let id = UUID()
        let made = try HKWorkout.of(state, id: id, device: workout.device)
        let identity = try HKError.translating {
            try ObjectIdentity(
                uuid: id, sourceRevision: workout.sourceRevision, device: workout.device, metadata: metadata)
        }
        guard let complete = made.with(identity) as? HKWorkout else {
            throw refusal("The result would not be a workout.")
        }
        var content = Content(complete, log: log)
        content.isNewLog = true
        return content
    }

    private static func refusal(_ sentence: String) -> HKError { HKError.make(.errorInvalidArgument, sentence) }
}

extension WorkoutEdit.Content {
    fileprivate var entries: [SessionEntry] { log ?? [] }
}

extension HKHealthStore {
    /// Edits stored workouts, all or none. Queries see a deletion for each old workout and an addition for each new
    /// one, in one transaction. The change can be undone for ``WorkoutReplacement/keptDays`` days.
    ///
    /// - Parameters:
    ///   - edits: The edits, applied one after the other.
    ///   - effort: An effort from 1 to 10 that replaces the stored one. Nil keeps that.
    ///   - name: The name of the change for people, who may undo it.
    /// - Returns: The new workouts, in order of time.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for edits that are not possible and workouts that are not
    ///   stored, ``HKError/Code/errorAuthorizationDenied`` for another app's workouts and for types that the app may
    ///   not share.
    package func edit(
        _ workouts: [HKWorkout], by edits: [WorkoutEdit], effort: Double? = nil, named name: String, at date: Date
    ) throws -> [HKWorkout] {
        try requireStored()
        let needsLog = edits.contains(where: \.needsLog)
        var contents = try workouts.map { workout in
            WorkoutEdit.Content(workout, log: needsLog ? try log(of: workout) : nil)
        }
        for edit in edits { contents = try edit.applied(to: contents) }
        if edits.isEmpty { contents = try WorkoutEdit.label(WorkoutLabels.Change()).applied(to: contents) }
        var types: Set<HKSampleType> = [.workoutType()]
        if effort != nil { types.insert(HKQuantityType(.workoutEffortScore)) }
        for content in contents where content.isNewLog {
            types.formUnion(content.workout.allStatistics.keys.map { $0 as HKSampleType })
            for entry in content.log ?? [] {
                if case .position = entry.content { types.insert(HKSeriesType.workoutRoute()) }
                if case .beats = entry.content { types.insert(HKSeriesType.heartbeat()) }
            }
        }
        try requireSharing(types)
        let routes = try workouts.first.map { workout in
            try database.samples(
                [SampleSelection(HKSeriesType.workoutRoute(), .workout(workout.uuid))], sortedBy: [], limit: 1)
        }
        var replacement = WorkoutReplacement(name, at: date, of: workouts.map(\.uuid))
        replacement.new = try contents.map { content in
            var successor = WorkoutReplacement.Successor(
                workout: content.workout, log: content.isNewLog ? content.log : nil)
            successor.routeMetadata = (try? MetadataCoding.neutral(routes?.first?.metadata)) ?? [:]
            if let effort {
                successor.effort = try HKError.translating {
                    try HKQuantitySample.effort(
                        effort, of: content.workout, ObjectIdentity(sourceRevision: content.workout.sourceRevision))
                }
            }
            return successor
        }
        try database.apply([.replace(replacement, owner: owner)], from: .current, once: nil)
        return contents.map(\.workout)
    }

    /// Deletes stored workouts and the samples that their sources saved with them, in one transaction. The change can
    /// be undone for ``WorkoutReplacement/keptDays`` days.
    package func delete(
        _ workouts: [HKWorkout], keepingSamples keepsSamples: Bool, named name: String, at date: Date
    ) throws {
        try requireSharing([.workoutType()])
        try requireStored()
        var replacement = WorkoutReplacement(name, at: date, of: workouts.map(\.uuid))
        replacement.keepsSamples = keepsSamples
        try database.apply([.replace(replacement, owner: owner)], from: .current, once: nil)
    }

    /// Undoes the latest edit or deletion, or the latest one of a workout.
    /// - Returns: The undone change, or nil if there is nothing to undo.
    package func undoEdit(of workout: UUID? = nil, at date: Date) throws -> UndoableChange? {
        try requireSharing([.workoutType()])
        try requireStored()
        return try database.undo(changeOf: workout, owner: owner, at: date)
    }

    /// The app whose workouts may be changed. Nil means all apps.
    private var owner: String? {
        environment.permissions.isOfOwner ? nil : HKSource.default().bundleIdentifier
    }

    /// Returns the log without effort scores, which are about the workout and not a part of it.
    private func log(of workout: HKWorkout) throws -> [SessionEntry] {
        let stored = try StoredWorkoutEntries(workout, in: database, keepingIdentities: true)
        let efforts = Set(WorkoutEffort.types.compactMap { ($0 as? HKQuantityType)?.swiftName })
        var log = stored.filter { entry in
            if case .quantity(let reading) = entry.content { !efforts.contains(reading.type) } else { true }
        }
        if let failure = stored.failure { throw failure }
        // Samples that a log cannot contain move along by their UUIDs.
        let others = TypeCatalogue.objectTypes.compactMap { $0 as? HKSampleType }.filter { type in
            !(type is HKQuantityType || type is HKCategoryType || type is HKSeriesType || type is HKWorkoutType)
        }
        let objects = try database.samples(
            others.map { SampleSelection($0, .workout(workout.uuid)) }, sortedBy: [], limit: nil)
        if !objects.isEmpty, let place = log.lastIndex(where: { if case .state = $0.content { true } else { false } }) {
            let references = objects.map { object in
                SessionEntry(
                    min(max(object.endDate, workout.startDate), workout.endDate),
                    .object(ObjectReference(id: object.uuid, type: object.sampleType.identifier)))
            }
            log.insert(contentsOf: references, at: place)
        }
        return log
    }
}

extension HKWorkout {
    /// A date as the clocks showed it where the workout was: `2026-03-01 10:00:00`.
    fileprivate func clock(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone ?? .current)
                .year().month().day().time(includingFractionalSeconds: false))
    }
}
