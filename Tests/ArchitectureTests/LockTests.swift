import Foundation
import Testing

/// What is done under a lock, as the text of the sources shows.
@Suite struct LockTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// Resuming or cancelling a task waits until a cancellation of that task has ended, and its handler may wait for the
    /// lock. Both then wait forever.
    @Test func `no task is resumed or cancelled under a lock`() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var found: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            found += Self.lines(in: text).map { "\(file.lastPathComponent):\($0)" }
        }
        #expect(found == [])
    }

    @Test func `the check finds resumptions in closures of locks only`() {
        let text = """
            let waiting = state.withLock { state in
                state.isOver = true
                continuation.resume()
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
            state.withLock { $0.continuation }?.yield(1)
            state.withLock { $0.continuation?.yield(1) }
            state.withLock { if $0.isOver { $0.task.cancel() } }
            """
        #expect(Self.lines(in: text) == [3, 8, 9])
    }

    /// The numbers of the lines that do so.
    private static func lines(in text: String) -> [Int] {
        var found: [Int] = []
        var depth = 0
        /// The depths around the closures of locks.
        var locks: [Int] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var rest = line
            if let comment = rest.range(of: "//") { rest = rest[..<comment.lowerBound] }
            var isLock = false
            while let next = rest.firstMatch(
                of: #/\{|\}|\.withLock\b|(?:ontinuation|task|watch|reader)\w*\??\.(?:resume|yield|finish|cancel)\(/#)
            {
                switch next.output {
                // No cancellation waits for a lock of this name.
                case ".withLock": isLock = !rest[..<next.range.lowerBound].hasSuffix("delivery")
                case "{":
                    if isLock { locks.append(depth) }
                    isLock = false
                    depth += 1
                case "}":
                    depth -= 1
                    if locks.last == depth { locks.removeLast() }
                default:
                    if !locks.isEmpty { found.append(index + 1) }
                }
                rest = rest[next.range.upperBound...]
            }
        }
        return found
    }
}
