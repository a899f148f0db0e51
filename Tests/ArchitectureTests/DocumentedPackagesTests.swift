import Foundation
import Testing

/// The files to copy for an app's CI install everything that the package needs to build.
@Suite struct DocumentedPackagesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    @Test func `the article on CI installs the libraries of the Makefile in each of its files`() throws {
        let all = try text("Makefile").matches(of: #/(?m)^PACKAGES \+= ([a-z0-9+.-]+):/#).map { String($0.1) }
        // Swift's own images include what the compiler and the package manager need. The bus is only for our own
        // tests; QR codes, PostgreSQL, brokers, ANT+ and the size reduction are only for the command, which no app
        // builds.
        let needed = Set(all).subtracting([
            "binutils", "ca-certificates", "dbus", "git", "libc6-dev", "libmosquitto-dev", "libnats-dev", "libpq-dev",
            "libusb-1.0-0-dev",
            "qrencode",
        ])
        #expect(needed.contains("libsqlite3-dev") && needed.count > 3)
        let article = try text("Sources/HealthKit/HealthKit.docc/ContinuousIntegration.md")
        let lines = article.split(separator: "\n").filter { $0.contains("libsqlite3-dev") }
        #expect(lines.count == 3)
        for line in lines { #expect(Set(line.split(separator: " ").map(String.init)).subtracting(["\\"]) == needed) }
    }

    @Test(arguments: [
        ("yaml", ".github/workflows/tests.yml"), ("yaml", ".gitlab-ci.yml"), ("dockerfile", "Dockerfile"),
    ])
    func `the article on CI shows the files of the examples`(language: String, file: String) throws {
        let article = try text("Sources/HealthKit/HealthKit.docc/ContinuousIntegration.md")
        #expect(article.contains("```\(language)\n\(try text("Examples/\(file)"))```"))
    }

    @Test func `failed tests become annotations on their lines`() throws {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: log) }
        try Data(
            """
            ✔ Test "passes" passed after 0.1 seconds.
            ✘ Test "averages" recorded an issue with 1 argument a → 1 at DocumentedPackagesTests.swift:9:5: Expectation failed: 5% < a
            ✘ Test "averages" failed after 0.2 seconds with 1 issue.
            /app/Tests/Elsewhere/OldTests.swift:12: error: OldTests.testAverage : XCTAssertEqual failed: ("1") is not equal to ("2")

            """.utf8
        ).write(to: log)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [Self.root.appending(path: "Examples/annotations").path, log.path]
        process.currentDirectoryURL = Self.root
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n")
        #expect(process.terminationStatus == 0 && lines.count == 2)
        // Without git, or in an archive, the name stays unchanged.
        #expect(lines.first?.contains("DocumentedPackagesTests.swift,line=9::Test \"averages\" recorded") == true)
        #expect(lines.first?.hasSuffix("5%25 < a") == true)
        #expect(lines.last?.contains("OldTests.swift,line=12::OldTests.testAverage : XCTAssertEqual") == true)
    }
}
