import Foundation
import Testing

/// The files to copy for an app's CI install what the build of the package needs.
@Suite struct DocumentedPackagesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    @Test func `the article on CI installs the libraries that the Makefile asks for, in each of its files`() throws {
        let all = try text("Makefile").matches(of: #/(?m)^PACKAGES \+= ([a-z0-9+.-]+):/#).map { String($0.1) }
        // Swift's own images have what the compiler and the package manager need; the bus is for our own tests, and
        // QR codes and what makes it small for the command, which no app builds.
        let needed = Set(all).subtracting(["binutils", "ca-certificates", "dbus", "git", "libc6-dev", "qrencode"])
        #expect(needed.contains("libsqlite3-dev") && needed.count > 3)
        let article = try text("Sources/HealthKit/HealthKit.docc/ContinuousIntegration.md")
        let lines = article.split(separator: "\n").filter { $0.contains("libsqlite3-dev") }
        #expect(lines.count == 2)
        for line in lines { #expect(Set(line.split(separator: " ").map(String.init)).subtracting(["\\"]) == needed) }
    }

    @Test(arguments: [("yaml", ".github/workflows/tests.yml"), ("dockerfile", "Dockerfile")])
    func `the article on CI shows the files of the examples`(language: String, file: String) throws {
        let article = try text("Sources/HealthKit/HealthKit.docc/ContinuousIntegration.md")
        #expect(article.contains("```\(language)\n\(try text("Examples/\(file)"))```"))
    }
}
