import Foundation
import HealthKit
import Testing

@testable import workout

@Suite(.needsCommand) struct ImportCommandTests {
    private let command: BuiltCommand
    private static let recordings = SampleRecordingsTests.names.map {
        SampleRecordingsTests.folder.appendingPathComponent("\($0).jsonl").path
    }

    init() throws { command = try BuiltCommand() }

    @Test func `several recordings have a line each, and a common one`() async throws {
        defer { command.remove() }
        let files = Self.recordings + [Self.recordings[0], "/nowhere/run.fit"]
        let outcome = try await command.start(["import"] + files).end()
        #expect(outcome.status == 65)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == files.count)
        #expect(lines[0].hasPrefix("\(files[0]): ") && lines[0].contains("  stored as "))
        let count = Self.recordings.count
        #expect(lines.last == "\(count + 2) recordings: \(count) imported, 1 already stored, 1 unreadable")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(try await command.run("import", Self.recordings[0]).output.contains("already stored as"))
    }

    @Test func `piped input is a recording`() async throws {
        defer { command.remove() }
        let replayed = try await command.shell(
            "workout simulate --duration 120 -o - | workout replay - --speed max --json")
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.output.contains(#""elapsed":120"#))
        let imported = try await command.shell("workout simulate --duration 120 -o - | workout import - --json")
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try await command.run("list", "--json").output.split(separator: "\n").count == 1)
        let empty = try await command.shell("workout replay - </dev/null")
        #expect(empty.status == 65)
        #expect(empty.errors.hasPrefix("error: cannot read standard input: the file is empty"))
    }
}

/// Archives that are built to fill a disk.
@Suite(.needsCommand) struct ArchiveCommandTests {
    private static func bytes(_ numbers: [(value: Int, size: Int)]) -> [UInt8] {
        numbers.flatMap { number in (0..<number.size).map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) } }
    }

    /// One stored file, listed this often with this size.
    private static func archive(listings: Int, size: Int? = nil) -> [UInt8] {
        let content = Array("<HealthData locale=\"en_US\"></HealthData>".utf8)
        let name = Array("export.xml".utf8)
        let common: [(Int, Int)] = [
            (0, 2), (0, 2), (0, 2), (0, 2), (0, 2), (0, 4), (content.count, 4), (size ?? content.count, 4),
            (name.count, 2),
            (0, 2),
        ]
        let file = bytes([(0x0403_4B50, 4)] + common) + name + content
        let listing = bytes([(0x0201_4B50, 4), (20, 2)] + common + [(0, 2), (0, 2), (0, 2), (0, 4), (0, 4)]) + name
        let list = (0..<listings).flatMap { _ in listing }
        return file + list
            + bytes([
                (0x0605_4B50, 4), (0, 4), (listings, 2), (listings, 2), (list.count, 4), (file.count, 4), (0, 2),
            ])
    }

    @Test(arguments: [
        (archive(listings: 2), "its files share their bytes"),
        (archive(listings: 1, size: 17 << 20), "more than 250 times as large as its packed bytes"),
    ])
    func `the limit is named in the error`(archive: [UInt8], words: String) async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let file = command.home.appendingPathComponent("export.zip")
        try Data(archive).write(to: file)
        let outcome = try await command.run("import", file.path)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(words), "\(outcome.all)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}

@Suite(.needsCommand) struct ImpossibleStoreTests {
    private let command: BuiltCommand

    init() throws { command = try BuiltCommand() }

    @Test(arguments: [
        "/dev/null/health.sqlite", "/proc/x/health.sqlite", "/dev/full", "FOLDER", "LONG/health.sqlite", "LONG",
    ])
    func `an impossible store is an error with a sentence`(path: String) async throws {
        defer { command.remove() }
        let long = "/tmp/" + String(repeating: "a", count: 300)
        let path = path.replacing("LONG", with: long).replacing("FOLDER", with: command.home.path)
        for arguments in [
            ["list"], ["profile", "--mass", "70"], ["simulate", "--duration", "5", "--speed", "max", "--save"],
        ] {
            let outcome = try await command.start(arguments, variables: ["HEALTHKIT_STORE": path]).end()
            #expect(outcome.status == 69)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.split(separator: "\n").count == 1)
            for dump in ["Domain=", "UserInfo", "Optional("] { #expect(!outcome.errors.contains(dump)) }
        }
    }
}

/// A single heading is not right for all rows if the clocks changed.
@Suite struct ZoneOfRowsTests {
    private static let winter = Date(timeIntervalSince1970: 1_735_725_600)
    private static let summer = Date(timeIntervalSince1970: 1_751_364_000)

    private func lines(_ dates: [Date]) throws -> [String] {
        let page = Page(columns: 200, timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let workouts = dates.map { HKWorkout(activityType: .running, start: $0, end: $0 + 60) }
        return WorkoutListing(workouts: workouts).lines(page)
    }

    @Test func `rows of one time zone have it in the heading`() throws {
        let lines = try lines([Self.summer, Self.summer + 60])
        #expect(lines[0].contains("start UTC+2") && !lines[1].contains("UTC"))
    }

    @Test func `rows of two time zones have their own`() throws {
        let lines = try lines([Self.summer, Self.winter])
        #expect(!lines[0].contains("UTC"))
        #expect(lines[1].contains("2025-07-01 12:00 UTC+2"))
        #expect(lines[2].contains("2025-01-01 11:00 UTC+1"))
    }
}
