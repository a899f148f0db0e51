import Foundation
import HealthKit
import HealthKitTesting
import Testing

@Suite struct GoldenTests {
    @Test(.healthKit(sensors: .simulate(seed: 7, durationInSeconds: 60)))
    func `a golden file is written on request, and differences are named`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.golden.json")
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start()
        let workout = try #require(try await world.finished())
        func check(_ tolerance: String..., updates: Bool = false) throws {
            try world.expectSummary(
                of: workout, matches: file.path, tolerance: tolerance, file: #filePath, updates: updates)
        }
        let missing = #expect(throws: WorldError.self) { try check() }
        #expect(missing?.description.contains("HEALTHKIT_UPDATE_GOLDEN=1") == true)
        try check(updates: true)
        try check()
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacingOccurrences(of: "\"duration\" : 60", with: "\"duration\" : 61")
            .write(to: file, atomically: true, encoding: .utf8)
        let different = #expect(throws: WorldError.self) { try check() }
        #expect(different?.description.contains("workout.duration: 61, not 60") == true)
        try check("duration=2%")
        try check("1")
        try check(updates: true)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}
