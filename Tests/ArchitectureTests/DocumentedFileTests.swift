import Foundation
import Testing

/// Pages that walk through files name existing files.
@Suite struct DocumentedFileTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func pages() -> [String] {
        let all = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "md" }.map(\.path).sorted()
            + ["README.md", "CONTRIBUTING.md", "docs/Internals.md"].map { root.appending(path: $0).path }
    }

    /// Paths such as `Sources/…` and `Tests/…` in code voice.
    private func named(in text: String) throws -> [String] {
        text.matches(of: try Regex("`((?:Sources|Tests)/[^` ]+\\.[a-z]+)`")).compactMap { $0.output[1].substring }
            .map(String.init)
    }

    @Test(arguments: pages())
    func `every file that a page names exists`(page: String) throws {
        for file in try named(in: String(contentsOfFile: page, encoding: .utf8)) {
            #expect(
                FileManager.default.fileExists(atPath: Self.root.appending(path: file).path),
                "\(URL(fileURLWithPath: page).lastPathComponent) names \(file)")
        }
    }

    @Test func `the walk-throughs name files of every layer they pass`() throws {
        let page = Self.root.appending(path: "docs/Internals.md")
        let files = Set(try named(in: String(contentsOf: page, encoding: .utf8)))
        #expect(files.count > 30)
        for layer in ["DBus", "GATT", "Bluetooth", "Recordings", "HealthData", "HealthStore", "HealthKit", "Mirroring"]
        {
            #expect(files.contains { $0.hasPrefix("Sources/\(layer)/") }, "no file of \(layer)")
        }
    }
}
