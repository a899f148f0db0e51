import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Distances and energies of tables with a part in each row, as in the live data of Samsung Health.
struct PartialDistanceTests {
    private static let note = "so they are no totals; they were added up"

    private func read(_ distances: [Double?], energies: [Double]? = nil, name: String = "distance") throws -> Recording
    {
        let rows = distances.enumerated().map { second, distance in
            "\(second),120,\(distance.map { "\($0)" } ?? "")" + (energies.map { ",\($0[second])" } ?? "")
        }
        return try TableTexts.read(
            (["time,hr,\(name)" + (energies == nil ? "" : ",kcal")] + rows).joined(separator: "\n") + "\n",
            TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt, activity: "running"))
    }

    private func isNoted(_ recording: Recording) -> Bool {
        recording.file.warnings.contains { $0.message.hasSuffix(Self.note) }
    }

    @Test func `distances and energies of each row are added up`() throws {
        let distances: [Double] = (0..<120).map { 2.5 + Double($0 * 7 % 10) / 10 }
        let energies: [Double] = (0..<120).map { 0.1 + Double($0 * 3 % 10) / 100 }
        let recording = try read(distances, energies: energies)
        let meters: Double = recording.values("distanceWalkingRunning").reduce(0, +)
        #expect(abs(meters - distances.reduce(0, +)) < 0.001)
        let kilocalories: Double = recording.values("activeEnergyBurned").reduce(0, +)
        #expect(abs(kilocalories - energies.reduce(0, +)) < 0.001)
        #expect(isNoted(recording))
    }

    @Test func `rows without a distance add nothing`() throws {
        let distances: [Double?] = (0..<1200).map { (second: Int) in
            second % 10 == 9 ? Double(28 + second / 10 % 3) : nil
        }
        let recording = try read(distances)
        #expect(recording.values("distanceWalkingRunning").count == 120)
        let sum: Double = distances.compactMap(\.self).reduce(0, +)
        #expect(recording.values("distanceWalkingRunning").reduce(0, +) == sum)
    }

    @Test func `the unit of parts is found as for totals`() throws {
        let meters: [Double] = (0..<120).map { 2.5 + Double($0 * 7 % 10) / 10 }
        let recording = try read(meters.map { $0 / 1000 }, name: "distance_km")
        let sum: Double = recording.values("distanceWalkingRunning").reduce(0, +)
        #expect(abs(sum - meters.reduce(0, +)) < 0.001)
    }

    @Test func `a total that begins anew in each lap, and one that is sometimes corrected, stay totals`() throws {
        let laps = try read((0..<120).map { Double($0 % 12) * 10 })
        #expect(!isNoted(laps))
        let pairs = try read((0..<120).map { $0 % 2 == 0 ? 25 : 50 })
        #expect(!isNoted(pairs))
        let corrected = try read((0..<119).map { (second: Int) in Double(second * 3 - (second % 5 == 4 ? 4 : 0)) })
        #expect(!isNoted(corrected))
        #expect(corrected.values("distanceWalkingRunning").reduce(0, +) == 354)
    }
}
