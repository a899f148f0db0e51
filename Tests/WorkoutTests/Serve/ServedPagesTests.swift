import Foundation
import Testing

@testable import workout

@Suite struct ServedPagesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/workout/Serve/Pages")

    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    private func text(_ name: String) throws -> String {
        String(decoding: try #require(ServedPages.file(name)), as: UTF8.self)
    }

    @Test func `every file of the folder is embedded unchanged`() throws {
        #expect(Self.names.contains("live.html"))
        for name in Self.names {
            #expect(
                try Data(contentsOf: Self.folder.appendingPathComponent(name))
                    == ServedPages.file(name).map { Data($0) })
        }
    }

    @Test func `pages contain nothing that the content policy refuses, and lack no file`() throws {
        for name in Self.names where name.hasSuffix(".html") {
            let page = try text(name)
            #expect(!page.contains("<style"))
            #expect(!page.contains(" style="))
            #expect(!page.contains(" on" + "click="))
            for match in page.matches(of: #/<script[^>]*>(.*?)<\/script>/#.dotMatchesNewlines()) {
                #expect(match.1.isEmpty)
            }
            let files = page.matches(of: #/(?:src|href)="\/assets\/([^"]+)"/#).map { String($0.1) }
            #expect(!files.isEmpty)
            for file in files { #expect(ServedPages.file(file) != nil && ServedPages.type(of: file) != nil) }
        }
    }

    @Test func `scripts create no markup from text, and import existing files`() throws {
        for name in Self.names where name.hasSuffix(".js") {
            let script = try text(name)
            for forbidden in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "window.confirm",
            ] {
                #expect(!script.contains(forbidden), "\(name) uses \(forbidden)")
            }
            for match in script.matches(of: #/from "\.\/([^"]+)"/#) {
                #expect(ServedPages.file(String(match.1)) != nil, "\(name) imports \(match.1)")
            }
        }
    }
}
