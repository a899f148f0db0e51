import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Distances and speeds of tables without units.
struct AssumedUnitsTests {
    /// Two minutes at 10 m/s, to the north.
    private func read(
        distance: (name: String, meters: Double)?, speed: (name: String, metersPerSecond: Double)?,
        hasPositions: Bool
    ) throws -> Recording {
        var names = ["time", "hr"]
        if let distance { names.append(distance.name) }
        if let speed { names.append(speed.name) }
        if hasPositions { names += ["lat", "lon"] }
        let rows = (0...120).map { second -> String in
            var fields = ["\(second)", "120"]
            if let distance { fields.append("\(Double(second) * 10 / distance.meters)") }
            if let speed { fields.append("\(10 / speed.metersPerSecond)") }
            if hasPositions { fields += ["\(46 + Double(second) * 10 / 111_195)", "14.5"] }
            return fields.joined(separator: ",")
        }
        return try TableTexts.read(
            ([names.joined(separator: ",")] + rows).joined(separator: "\n") + "\n",
            TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt, activity: "cycling"))
    }

    private static let note = "fit the rest of the table best and were assumed"

    @Test(
        arguments: [1, 1000, 1609.344], [1, 1 / 3.6, 0.44704])
    func `positions show the units of distances and speeds`(meters: Double, metersPerSecond: Double) throws {
        let recording = try read(
            distance: ("distance", meters), speed: ("speed", metersPerSecond), hasPositions: true)
        #expect(abs(recording.values("distanceCycling").reduce(0, +) - 1200) < 0.01)
        #expect(recording.values("cyclingSpeed").allSatisfy { abs($0 - 10) < 0.001 })
        let isNoted = recording.file.warnings.contains { $0.message.hasSuffix(Self.note) }
        #expect(isNoted == (meters != 1 || metersPerSecond != 1))
    }

    @Test(arguments: [(1, 1), (1000, 1), (1, 1 / 3.6), (1000, 1 / 3.6)] as [(Double, Double)])
    func `without positions, distances and speeds show each other's`(meters: Double, metersPerSecond: Double) throws {
        let recording = try read(
            distance: ("distance", meters), speed: ("speed", metersPerSecond), hasPositions: false)
        #expect(abs(recording.values("distanceCycling").reduce(0, +) - 1200) < 0.01)
        #expect(recording.values("cyclingSpeed").allSatisfy { abs($0 - 10) < 0.001 })
    }

    @Test func `a stated unit is kept and shows the other`() throws {
        let inKilometers = try read(
            distance: ("distance", 1000), speed: ("speed_kmh", 1 / 3.6), hasPositions: false)
        #expect(abs(inKilometers.values("distanceCycling").reduce(0, +) - 1200) < 0.01)
        let inMiles = try read(
            distance: ("distance (m)", 1), speed: ("speed", 0.44704), hasPositions: false)
        #expect(inMiles.values("cyclingSpeed").allSatisfy { abs($0 - 10) < 0.001 })
        // A column has the unit in its name, whatever the other columns show.
        let stated = try read(distance: ("distance (km)", 1), speed: ("speed (m/s)", 1), hasPositions: true)
        #expect(abs(stated.values("distanceCycling").reduce(0, +) - 1_200_000) < 1)
    }

    @Test func `alone, they are metres and metres per second`() throws {
        let distance = try read(distance: ("distance", 1000), speed: nil, hasPositions: false)
        #expect(abs(distance.values("distanceCycling").reduce(0, +) - 1.2) < 0.001)
        let speed = try read(distance: nil, speed: ("speed", 1 / 3.6), hasPositions: false)
        #expect(speed.values("cyclingSpeed").allSatisfy { abs($0 - 36) < 0.001 })
        #expect(!speed.file.warnings.contains { $0.message.hasSuffix(Self.note) })
    }
}
