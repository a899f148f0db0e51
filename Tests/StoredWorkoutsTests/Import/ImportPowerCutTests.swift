import DiskRecorder
import Foundation
import MadeSamples
import PowerCuts
import StoredWorkouts
import Testing

/// A power cut during an import loses nothing that was acknowledged before it.
@Suite(.enabled(if: disk_recorder_is_available() == 1, "a sanitizer has the calls")) struct ImportPowerCutTests {
    private static let export: String = {
        // Types are written out, because GRDB's SQL can be a string literal, too.
        let records: [String] = (0..<500).map { (number: Int) -> String in
            let time: String = String(
                format: "2026-01-01 %02d:%02d:%02d +0000", number / 3600, number / 60 % 60, number % 60)
            let attributes: [String] = [
                #"type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min""#,
                #"creationDate="\#(time)" startDate="\#(time)" endDate="\#(time)" value="\#(60 + number % 90)""#,
            ]
            return " <Record " + attributes.joined(separator: " ") + "/>"
        }
        let lines: [String] =
            [
                #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<HealthData locale="en_GB">"#,
                #" <ExportDate value="2026-01-02 00:00:00 +0000"/>"#,
            ] + records + ["</HealthData>", ""]
        return lines.joined(separator: "\n")
    }()

    @Test func `an imported export survives`() async throws {
        try await PowerCut.with { disk in
            let file = disk.root + "/export.xml"
            try Self.export.write(toFile: file, atomically: false, encoding: .utf8)
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let summary = try HealthImport.run(
                        URL(fileURLWithPath: root + "/export.xml"), into: SQLiteHealthDatabase(.file(disk.store)),
                        isCancelled: { false })
                    try #require(summary.types["HKQuantityTypeIdentifierHeartRate"]?.added == 500)
                    acknowledged()
                }
            }
            try await disk.cut(before) { cut, acknowledged in
                let database = SQLiteHealthDatabase(.file(cut.store))
                #expect(try database.checkIntegrity() == [])
                let count = try database.all(Made.heartRate).count
                if acknowledged > 0 { #expect(count == 500, "\(cut.moment)") }
            }
        }
    }
}
