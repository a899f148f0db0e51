import ArgumentParser
import Foundation
import HealthKit
import Testing

@testable import workout

/// A report sent as a message or created by a timer.
@Suite struct ReportDeliveryTests {
    // MARK: Messages

    private static func message(_ subject: String, attachment: [UInt8] = []) -> String {
        let message = MailMessage(
            subject: subject, recipient: "coach@example.org", lines: ["Distance: 4.84 km", "Pace: 9:02 /km"],
            attachment: ("run.pdf", "application/pdf", attachment), date: Date(timeIntervalSince1970: 1_795_392_000))
        return String(decoding: message.bytes, as: UTF8.self)
    }

    @Test func `a message has its headers, its text and the file`() throws {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let text = Self.message("Running, Wed 6 Feb 2013", attachment: bytes)
        #expect(text.hasPrefix("To: coach@example.org\r\nSubject: Running, Wed 6 Feb 2013\r\n"))
        #expect(text.contains("\r\nDate: Mon, 23 Nov 2026 00:00:00 +0000\r\n"))
        let parts = text.components(separatedBy: "--=_openhealthkit_report")
        try #require(parts.count == 4)
        let bodies = try parts[1...2].map { part in
            let lines = part.components(separatedBy: "\r\n\r\n")[1].split(separator: "\r\n")
            #expect(lines.allSatisfy { $0.count <= 76 })
            return try #require(Data(base64Encoded: lines.joined()))
        }
        #expect(String(decoding: bodies[0], as: UTF8.self) == "Distance: 4.84 km\r\nPace: 9:02 /km")
        #expect(Array(bodies[1]) == bytes)
        #expect(parts[3] == "--\r\n")
    }

    @Test func `a subject in any language is encoded in words of legal length`() throws {
        let subject = String(repeating: "Läufe über Brücken 🏃 ", count: 6)
        let text = Self.message(subject)
        let header = try #require(
            text.components(separatedBy: "Subject: ").last?.components(separatedBy: "\r\nDate").first)
        let words = header.components(separatedBy: "\r\n ")
        #expect(words.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?utf-8?B?") && $0.hasSuffix("?=") })
        let decoded = try words.map {
            String(decoding: try #require(Data(base64Encoded: String($0.dropFirst(10).dropLast(2)))), as: UTF8.self)
        }
        #expect(decoded.joined() == subject)
    }

    @Test(arguments: [
        ("coach@example.org", true), ("a.b+c@x-y.de", true), ("coach", false), ("@example.org", false), ("a@", false),
        ("a@b@c", false), ("a@b\r\nBcc: x@y", false), ("A <a@b>", false), ("a@b,c@d", false), ("", false),
    ])
    func `only a bare address is accepted`(text: String, isAddress: Bool) {
        #expect(MailMessage.isAddress(text) == isAddress)
    }

    // MARK: Timers

    private static func schedule(
        _ day: ReportSchedule.Day = .monday, _ arguments: [String] = ["report"]
    ) -> ReportSchedule {
        ReportSchedule(
            span: .week, day: day, command: ["/usr/bin/workout"] + arguments, workingDirectory: "/home/ada/100% mine",
            variables: ["HEALTHKIT_STORE": "/data/\"h\".sqlite", "SECRET": "x", "TZ": ""])
    }

    @Test func `a week starts with any of its days, and with nothing else`() {
        #expect(Weekday(argument: "sunday")?.number == 1)
        #expect(Weekday(argument: "saturday")?.number == 7)
        #expect(Weekday(argument: "month") == nil)
        #expect(ReportSchedule.Day.monday.weekday == .monday)
        #expect(ReportSchedule.Day.month.weekday == nil)
    }

    @Test func `a timer creates the report of the week until yesterday`() throws {
        let typed = ["report", "--week", "--every", "monday", "-o", "reports/", "--every=sunday"]
        #expect(
            ReportSchedule.command(["report", "--week"], hasEnd: false, replaces: true, weekStart: .friday)
                == ["report", "--week", "--week-start", "friday", "--to", "yesterday"],
            "the week until yesterday is the one that began on the timer's day")
        let command = ReportSchedule.command(typed, hasEnd: false, replaces: false)
        #expect(command == ["report", "--week", "-o", "reports/", "--to", "yesterday", "--force"])
        #expect(
            ReportSchedule.command(["report", "--to", "2026"], hasEnd: true, replaces: true) == [
                "report", "--to", "2026",
            ])
        let files = try Self.schedule(.monday, ["report", "-o", "50% $HOME"]).files(in: DeliveryFolders(variables: [:]))
        #expect(files.map(\.url.lastPathComponent) == ["healthkit-report.service", "healthkit-report.timer"])
        #expect(files[0].text.contains("\nExecStart=\"/usr/bin/workout\" \"report\" \"-o\" \"50%% $$HOME\"\n"))
        #expect(files[0].text.contains("\nWorkingDirectory=/home/ada/100%% mine\n"))
        #expect(files[0].text.contains("\nEnvironment=\"HEALTHKIT_STORE=/data/\\\"h\\\".sqlite\"\n"))
        #expect(!files[0].text.contains("SECRET") && !files[0].text.contains("TZ="))
        #expect(files[1].text.contains("\nOnCalendar=Mon 06:00\n"))
        #expect(
            try Self.schedule(.month).files(in: DeliveryFolders(variables: [:]))[1].text.contains(
                "OnCalendar=*-*-01 06:00"))
    }

    @Test func `no argument can begin another setting of a unit`() {
        #expect(throws: CommandFailure.self) {
            _ = try Self.schedule(.monday, ["\u{0}"]).files(in: DeliveryFolders(variables: [:]))
        }
        let files = try? Self.schedule(.monday, ["a\nExecStart=/bin/false"]).files(in: DeliveryFolders(variables: [:]))
        #expect(files?[0].text.components(separatedBy: "\n").count { $0.hasPrefix("ExecStart=") } == 1)
    }

    @Test func `another program's unit of that name is not replaced`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("timer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let folders = DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder.path])
        try Self.schedule().write(in: folders)
        try Self.schedule(.friday).write(in: folders)
        let timer = folders.units.appendingPathComponent("healthkit-report.timer")
        #expect(try String(contentsOf: timer, encoding: .utf8).contains("OnCalendar=Fri 06:00"))
        try Data("[Timer]\n".utf8).write(to: timer)
        #expect(throws: CommandFailure.self) { try Self.schedule().write(in: folders) }
        #expect(try String(contentsOf: timer, encoding: .utf8) == "[Timer]\n")
    }

    @Test(arguments: [
        ["--every", "monday"], ["--all", "--every", "monday"], ["8F3A", "--week"], ["--week", "--recipient", "a@b.c"],
        ["--week", "--mail", "--recipient", "nobody"], ["--week", "--mail", "--pdf"],
        ["8F3A", "--privacy-zone", "0"], ["--week", "--every", "monday", "-o", "-"],
    ])
    func `conflicting options are rejected`(arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try Report.parse(arguments) }
    }
}
