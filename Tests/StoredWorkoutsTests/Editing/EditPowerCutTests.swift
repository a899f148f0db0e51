import DiskRecorder
import Foundation
import MadeSamples
import PowerCuts
import SessionLog
import Testing

@testable import HealthKit
@testable import HealthStore
@testable import StoredWorkouts

/// A power cut during an edit leaves the old workouts or the new ones, complete.
@Suite(.enabled(if: disk_recorder_is_available() == 1, "a sanitizer has the calls")) struct EditPowerCutTests {
    private static let start = Made.start

    private static func healthStore(_ disk: PowerCut) -> HKHealthStore {
        HKHealthStore(
            environment: HealthEnvironment(sensors: [], database: SQLiteHealthDatabase(.file(disk.store))))
    }

    private static func heartRates(_ range: Range<Int>) -> [SessionEntry] {
        range.map { second in
            let date = start + Double(second)
            return SessionEntry(
                date, .quantity(QuantityReading("heartRate", 60, unit: "count/min", start: date, end: date)))
        }
    }

    private static func heartRatesOfWorkouts(_ disk: PowerCut) throws -> [Int] {
        let database = SQLiteHealthDatabase(.file(disk.store))
        #expect(try database.checkIntegrity() == [])
        return try database.all(.workoutType()).map {
            try database.all(Made.heartRate, .workout($0.uuid)).count
        }
    }

    private static func count(_ type: HKSampleType, _ disk: PowerCut) throws -> Int {
        try SQLiteHealthDatabase(.file(disk.store)).all(type).count
    }

    /// Stores a workout of 20 heart rates, one each second.
    private static func saveWorkout(_ disk: PowerCut) throws {
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        let log = [
            SessionEntry(start, .header(header)), SessionEntry(start, .state(.running)),
            SessionEntry(start, .collection(.began(events: true))),
        ]
        let whole = log + heartRates(0..<20) + [SessionEntry(start + 20, .state(.stopped))]
        let workout = try HKWorkout.of(whole.reduce(into: SessionState()) { $0.apply($1) }, id: header.id, device: nil)
        try SQLiteHealthDatabase(.file(disk.store)).save(workout, log: whole, from: .current)
    }

    private static func workouts(_ store: HKHealthStore) throws -> [HKWorkout] {
        try store.database.all(.workoutType()).compactMap { $0 as? HKWorkout }.sorted { $0.startDate < $1.startDate }
    }

    /// A workout is split, the halves are merged with a title, and both changes are undone: the store always has one
    /// of these states, complete.
    @Test func `a workout that is split, merged again, and both undone`() async throws {
        try await PowerCut.with { disk in
            try Self.saveWorkout(disk)
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let store = EditPowerCutTests.healthStore(disk)
                    let start = EditPowerCutTests.start
                    _ = try store.edit(
                        EditPowerCutTests.workouts(store), by: [.split(at: [start + 9.5])], named: "split", at: start)
                    acknowledged()
                    var change = WorkoutLabels.Change()
                    change.title = "Whole"
                    _ = try store.edit(
                        EditPowerCutTests.workouts(store), by: [.merge, .label(change)], named: "merge", at: start)
                    acknowledged()
                    for _ in 0..<2 {
                        _ = try store.undoEdit(at: start)
                        acknowledged()
                    }
                }
            }
            struct Stored: Equatable {
                var heartRates: [Int]
                var title: String?
            }
            let whole = Stored(heartRates: [20])
            let halves = Stored(heartRates: [10, 10])
            let states = [whole, halves, Stored(heartRates: [20], title: "Whole"), halves, whole]
            try await disk.cut(before) { cut, acknowledged in
                let stored = Stored(
                    heartRates: try Self.heartRatesOfWorkouts(cut),
                    title: try Self.workouts(Self.healthStore(cut)).first?.labels.title)
                #expect(states[acknowledged...].prefix(2).contains(stored), "\(cut.moment)")
                #expect(try Self.count(Made.heartRate, cut) == 20, "\(cut.moment)")
            }
        }
    }

    /// A workout of 20 heart rates is trimmed to ten, and that is undone: the store always has one of the two,
    /// complete.
    @Test func `a workout that is trimmed, and the trim undone`() async throws {
        try await PowerCut.with { disk in
            try Self.saveWorkout(disk)
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let store = EditPowerCutTests.healthStore(disk)
                    let workouts = try store.database.all(.workoutType()).compactMap { $0 as? HKWorkout }
                    _ = try store.edit(
                        workouts, by: [.trim(from: nil, to: EditPowerCutTests.start + 9.5)], named: "trim",
                        at: EditPowerCutTests.start)
                    acknowledged()
                    _ = try store.undoEdit(at: EditPowerCutTests.start)
                    acknowledged()
                }
            }
            try await disk.cut(before) { cut, acknowledged in
                let stored = try Self.heartRatesOfWorkouts(cut)
                #expect(stored == [20] || stored == [10], "\(cut.moment)")
                #expect(try Self.count(Made.heartRate, cut) == stored[0], "\(cut.moment)")
                if acknowledged == 1 { #expect(stored == [10] || stored == [20], "\(cut.moment)") }
                if acknowledged == 2 { #expect(stored == [20], "\(cut.moment)") }
            }
        }
    }
}
