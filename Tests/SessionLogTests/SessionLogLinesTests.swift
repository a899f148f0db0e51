import Foundation
import Testing

@testable import SessionLog

@Suite struct SessionLogLinesTests {
    private func read(_ text: String) -> SessionLogLines.Line {
        var lines = SessionLogLines()
        return lines.read(Array(text.utf8))
    }

    private func isUnreadable(_ text: String) -> Bool {
        if case .unreadable = read(text) { true } else { false }
    }

    @Test func `encoded lines are decoded`() throws {
        let entry = SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .state(.paused))
        var encoder = SessionLogEncoder()
        try encoder.append(entry)
        var lines = SessionLogLines()
        #expect(lines.read(encoder.bytes) == .entry(entry))
    }

    @Test func `an empty line keeps its place, and a later version's line is recognized`() {
        #expect(read("\n") == .blank)
        #expect(read(" \r\n") == .blank)
        #expect(read("{\"at\":\"2026-01-01T00:00:00Z\",\"dance\":1}\n") == .unknown)
    }

    @Test func `a damaged, truncated, doubled or newer line is unreadable`() {
        #expect(isUnreadable("{\"at\":\n"))
        #expect(isUnreadable("{\"at\":\"2026-01-01T00:00:00Z\",\"state\":\"paused\"}"))
        #expect(isUnreadable(""))
        #expect(isUnreadable("{\"at\":\"2026-01-01T00:00:00Z\",\"state\":\"paused\"}\n{\"at\":1}\n"))
        #expect(isUnreadable("{\"at\":\"2026-01-01T00:00:00Z\",\"log\":99}\n"))
        #expect(isUnreadable("{\"at\":\"2026-01-01T00:00:00Z\",\"state\":\"dancing\"}\n"))
    }
}
