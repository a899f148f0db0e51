import Foundation
import Testing

/// The listings in the article on an app's first test are parts of files in `Examples/`, which are built and tested.
@Suite struct DocumentedListingTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The code blocks in one language.
    private static func listings(_ language: String) throws -> [String] {
        let page = root.appending(path: "Sources/HealthKitTesting/HealthKitTesting.docc/FirstTest.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    private static func files(_ endings: Set<String>) -> [String] {
        let all = FileManager.default.enumerator(at: root.appending(path: "Examples"), includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { endings.contains($0.pathExtension) && !$0.path.contains("/.build/") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    /// Whether the lines follow each other in the text, all with the same indentation.
    private func stands(_ listing: String, in text: String) -> Bool {
        let lines = listing.split(separator: "\n", omittingEmptySubsequences: false)
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, all.count >= lines.count else { return false }
        return (0...all.count - lines.count).contains { start in
            guard all[start].hasSuffix(first) else { return false }
            let indent = all[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines, all[start...]).allSatisfy { $0.isEmpty ? $1.isEmpty : $1 == indent + $0 }
        }
    }

    @Test func `every listing is part of a file of the example`() throws {
        let swift = try Self.listings("swift")
        #expect(swift.count > 7)
        let sources = Self.files(["swift"])
        for listing in swift where !sources.contains(where: { stands(listing, in: $0) }) {
            Issue.record("no file of Examples has this:\n\(listing)")
        }
        let workflows = try Self.listings("yaml")
        #expect(workflows.count == 1)
        for listing in workflows { #expect(Self.files(["yml"]).contains { stands(listing, in: $0) }) }
    }

    @Test func `a listing that differs by a word or a line is found`() {
        let text = "    let a = 1\n\n    let b = 2\n"
        #expect(stands("let a = 1\n\nlet b = 2", in: text))
        #expect(!stands("let a = 1\n\nlet b = 3", in: text))
        #expect(!stands("let a = 1\nlet b = 2", in: text))
        #expect(!stands("let a = 1\n\n let b = 2", in: text))
    }
}
