import Analytics
import Foundation
import SessionLog
import StoredWorkouts
import Testing

/// A long workout is read from the store in time spans, and each row and each piece of its route once.
@Suite struct StoredSpansTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// An hour and a half of heart rates, distances that end between them, and, most of the time, positions.
    private static let log: [SessionEntry] = {
        var entries = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling")))),
            SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
        ]
        for second in 0..<5400 {
            let date = start + Double(second)
            entries.append(
                SessionEntry(
                    date,
                    .quantity(
                        QuantityReading(
                            "heartRate", 100 + Double(second % 50), unit: "count/min", start: date, end: date))))
            if second < 5000 {
                let position = PositionReading(
                    latitudeInDegrees: 47 + Double(second) * 1e-5, longitudeInDegrees: 8,
                    altitudeInMeters: 400 + Double(second % 600) / 10)
                entries.append(SessionEntry(date, .position(position)))
            }
            let next = date + 1
            entries.append(
                SessionEntry(
                    next,
                    .quantity(
                        QuantityReading(
                            "distanceCycling", 5 + Double(second % 7), unit: "m", start: date, end: next))))
        }
        let end = start + 5400
        return entries + [SessionEntry(end, .state(.stopped)), SessionEntry(end, .collection(.ended))]
    }()

    private static func save(in database: any HealthDatabase) throws -> HKWorkout {
        var state = SessionState()
        for entry in log { state.apply(entry) }
        let workout = try HKWorkout.of(state, id: UUID(), device: nil)
        try database.save(workout, log: log, from: .current)
        return workout
    }

    private static let types: Set = [HKQuantityType(.heartRate), HKQuantityType(.distanceCycling)]

    @Test func `spans contain every measurement once, and none that ends later`() throws {
        let database = HealthEnvironment(sensors: []).database
        let workout = try Self.save(in: database)
        var measurements = try StoredMeasurements(ofWorkout: workout.uuid, Self.types, in: database)
        var seen: Set<UUID> = []
        for second in stride(from: 500.0, through: 6000, by: 500) {
            let end = Self.start + second
            let span = try measurements.next(until: second == 6000 ? nil : end)
            #expect(span.allSatisfy { $0.end <= end.timeIntervalSinceReferenceDate })
            #expect(span.allSatisfy { $0.end > (end - 500).timeIntervalSinceReferenceDate || second == 500 })
            for measurement in span { #expect(seen.insert(measurement.sample).inserted) }
        }
        #expect(seen.count == 10_800)
    }

    @Test func `pieces of a long workout are no longer than its rows, and contain everything once`() throws {
        let database = HealthEnvironment(sensors: []).database
        let workout = try Self.save(in: database)
        var measurements = try StoredMeasurements(ofWorkout: workout.uuid, Self.types, in: database)
        var pieces: [[StoredMeasurement]] = []
        while let piece = try measurements.next() { pieces.append(piece) }
        #expect(try measurements.next() == nil)
        #expect(pieces.allSatisfy { $0.count <= 2 * 3600 })
        let all = try database.measurements(Self.types.map { SampleSelection($0, .workout(workout.uuid)) })
        for type in Self.types {
            let own = pieces.joined().filter { $0.shared.type == type }
            #expect(own.map(\.sample) == all.filter { $0.shared.type == type }.map(\.sample))
        }
    }

    @Test func `samples deleted while a workout is read are left out, and no others`() throws {
        let database = HealthEnvironment(sensors: []).database
        let workout = try Self.save(in: database)
        var measurements = try StoredMeasurements(ofWorkout: workout.uuid, Self.types, in: database)
        var count = try measurements.next(until: Self.start + 1000).count
        let behind = SampleSelection(
            HKQuantityType(.heartRate), .startDate(.greaterOrEqual, Self.start + 4500))
        #expect(try database.delete(behind, owner: nil) == 900)
        count += try measurements.next(until: nil).count
        #expect(count == 10_800 - 900)
    }

    @Test func `the pieces of a route are its positions in order`() throws {
        let database = HealthEnvironment(sensors: []).database
        let positions = (0..<40_000).map { index in
            let position = PositionReading(
                latitudeInDegrees: Double(index) * 1e-3 + Double(index % 7) / 3,
                longitudeInDegrees: Double(index) / 1e4,
                altitudeInMeters: Double(index % 11) / 7, horizontalAccuracyInMeters: Double(index % 13) / 9,
                speedInMetersPerSecond: Double(index % 17) / 11)
            return (date: Self.start + Double(index), position: position)
        }
        let route = try HKWorkoutRoute.validated(
            ObjectIdentity(), count: positions.count, start: Self.start, end: Self.start + 39_999)
        try database.save(route, series: .positions(positions), from: .current)
        var stored = StoredRoute(route.uuid, in: database)
        var back: [(date: Date, position: PositionReading)] = []
        var pieces = 0
        while let piece = try stored.next() {
            back += piece
            pieces += 1
        }
        #expect(pieces > 1)
        #expect(back.map(\.date) == positions.map(\.date))
        #expect(back.map(\.position) == positions.map(\.position))
        var absent = StoredRoute(UUID(), in: database)
        #expect(try absent.next() == nil)
    }

    @Test func `a stored workout is read in the order of its log`() throws {
        let database = HealthEnvironment(sensors: []).database
        let workout = try Self.save(in: database)
        func order(_ entries: some Sequence<SessionEntry>) -> [String] {
            entries.compactMap { entry in
                switch entry.content {
                case .quantity(let reading): "\(entry.date.timeIntervalSince(Self.start)) \(reading.type)"
                case .position: "\(entry.date.timeIntervalSince(Self.start)) position"
                default: nil
                }
            }
        }
        let entries = try StoredWorkoutEntries(workout, in: database)
        let read = order(entries)
        #expect(entries.failure == nil)
        // At the same time readings come first, ordered by their starts.
        let expected = order(Self.log).enumerated().sorted { a, b in
            func key(_ text: String) -> (Double, Int) {
                let words = text.split(separator: " ")
                return (Double(words[0]) ?? 0, words[1] == "distanceCycling" ? 0 : words[1] == "heartRate" ? 1 : 2)
            }
            return key(a.element) < key(b.element)
        }.map(\.element)
        #expect(read == expected)
    }
}
