import Synchronization

/// Effort samples and the workouts that they are related to.
package enum WorkoutEffort {
    package static let types: Set<HKSampleType> = [
        HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    ]

    /// Returns the user's rating of a stored workout, from 1 to 10, or nil if there is none.
    package static func said(of workout: HKWorkout, in database: any HealthDatabase) throws -> Double? {
        let scores = SampleSelection(HKQuantityType(.workoutEffortScore), .workout(workout.uuid))
        let latest = try database.samples([scores], sortedBy: [SampleSort(.startDate)], limit: nil).last
        return (latest as? HKQuantitySample)?.quantity.doubleValue(for: .appleEffortScore())
    }

    /// Returns the relationships after the anchor, by workout and activity, in order, and the anchor to continue from.
    static func relationships(
        _ pass: QueryPass, _ predicate: NSPredicate?, after anchor: Int64,
        _ options: HKWorkoutEffortRelationshipQueryOptions
    ) throws -> ([HKWorkoutEffortRelationship], Int64) {
        let types = try readable(pass)
        let links = try pass.database.effortLinks(after: anchor)
        guard let last = links.last else { return ([], anchor) }
        let chosen = try types.map { type in
            var selection = try pass.store.selection(type, predicate)
            selection.filter = .all(of: [.ids(Set(links.map(\.sample))), selection.filter])
            return selection
        }
        let samples = try pass.database.samples(chosen, sortedBy: [SampleSort(.startDate)], limit: nil)
        var workoutSelection = try pass.store.selection(.workoutType(), nil)
        workoutSelection.filter = .all(of: [.ids(Set(links.map(\.workout))), workoutSelection.filter])
        let workouts = try pass.database.samples([workoutSelection], sortedBy: [SampleSort(.startDate)], limit: nil)
        var relationships: [HKWorkoutEffortRelationship] = []
        for case let workout as HKWorkout in workouts {
            let own = links.filter { $0.workout == workout.uuid }
            var seen: [UUID?] = []
            for link in own where !seen.contains(link.activity) {
                seen.append(link.activity)
                let ids = Set(own.filter { $0.activity == link.activity }.map(\.sample))
                let related = relevant(samples.filter { ids.contains($0.uuid) }, options)
                guard !related.isEmpty else { continue }
                relationships.append(
                    HKWorkoutEffortRelationship(
                        workout: workout, activity: workout.workoutActivities.first { $0.uuid == link.activity },
                        samples: related))
            }
        }
        return (relationships, last.sequence)
    }

    /// Returns the effort types that the app may read. It may have requested only the user's ratings, or only the
    /// estimates.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if it has requested neither.
    private static func readable(_ pass: QueryPass) throws -> [HKSampleType] {
        let access = types.map { type in (type, Result { try pass.store.readAccess(to: type) }) }
        let asked = access.filter { (try? $0.1.get()) != nil }.map(\.0)
        if asked.isEmpty { _ = try access.first?.1.get() }
        return asked
    }

    private static func relevant(
        _ samples: [HKSample], _ options: HKWorkoutEffortRelationshipQueryOptions
    ) -> [HKSample] {
        guard options == .mostRelevant else { return samples }
        let said = samples.filter { $0.sampleType == HKQuantityType(.workoutEffortScore) }
        return (said.last ?? samples.last).map { [$0] } ?? []
    }
}

/// The latest anchor of a query.
final class LatestAnchor: Sendable {
    private let box: Mutex<Int64>

    init(_ position: Int64) {
        box = Mutex(position)
    }

    var position: Int64 {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}

extension HKQuantitySample {
    /// Creates a user's rating of a workout, from 1 to 10.
    package static func effort(
        _ score: Double, of workout: HKWorkout, _ identity: ObjectIdentity
    ) throws(SampleError) -> HKQuantitySample {
        try validated(
            identity, type: HKQuantityType(.workoutEffortScore),
            quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: score), start: workout.startDate,
            end: workout.endDate)
    }
}
