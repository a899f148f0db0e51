import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

@Suite struct LiveFrameTests {
    private let id = UUID()
    private let start = Date(timeIntervalSince1970: 1_767_254_400)

    private func entry(_ seconds: Double, _ rate: Double) -> SessionEntry {
        let date = start + seconds
        return SessionEntry(
            date,
            .quantity(
                QuantityReading(QuantityReading.heartRateType, rate, unit: "count/min", start: date, end: date)))
    }

    /// The contents of a page after an event.
    private struct Held: Equatable {
        var slotInSeconds = 0.0
        var heartRates: [Double?] = []

        mutating func take(_ event: [UInt8]) throws {
            guard !event.isEmpty else { return }
            let text = String(decoding: event, as: UTF8.self)
            let data = try #require(text.split(separator: "\n").first { $0.hasPrefix("data:") }).dropFirst(5)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
            slotInSeconds = try #require(object["slotInSeconds"] as? Double)
            let from = try #require(object["from"] as? Int)
            try #require(from <= heartRates.count)
            heartRates = heartRates.prefix(from) + (object["heartRates"] as? [Any] ?? []).map { $0 as? Double }
        }
    }

    private func held(_ course: HeartRateTimeline) -> Held {
        Held(
            slotInSeconds: course.slotInSeconds,
            heartRates: course.heartRates.map { $0.map { ($0 * 10).rounded() / 10 } })
    }

    /// Readings with gaps, repeats, and times that go back, until the slots have doubled twice.
    @Test func `a page that misses frames still gets the whole curve`() throws {
        var generator = SplitMix(state: 7)
        var course = HeartRateTimeline()
        course.take(SessionEntry(start, .state(.running)))
        var frame = ChartFrame()
        var version = 0
        var pages = (1...4).map { (every: $0 * $0 * 9 - 8, seen: 0, held: Held()) }
        var seconds = 0.0
        for step in 0..<6_000 {
            seconds += [0.4, 1, 1, 1, 7, 40][Int.random(in: 0..<6, using: &generator)]
            let back = step % 11 == 0 ? -2.0 : 0
            course.take(entry(max(0, seconds + back), Double.random(in: 60...190, using: &generator)))
            guard step % 3 == 0 else { continue }
            if frame.take(course, version: version + 1) { version += 1 }
            for index in pages.indices where step % pages[index].every == 0 {
                try pages[index].held.take(frame.event(after: pages[index].seen, of: id))
                pages[index].seen = version
                try #require(pages[index].held == held(course))
            }
        }
        #expect(course.slotInSeconds >= 4)
    }

    @Test func `without news there is no event`() {
        var course = HeartRateTimeline()
        course.take(SessionEntry(start, .state(.running)))
        course.take(entry(1, 100))
        var frame = ChartFrame()
        let isNew = (frame.take(course, version: 1), frame.take(course, version: 2))
        #expect(isNew == (true, false))
        #expect(frame.event(after: 1, of: id).isEmpty)
        #expect(!frame.event(after: 0, of: id).isEmpty)
    }

    @Test func `only the end of a curve is sent`() {
        var course = HeartRateTimeline()
        course.take(SessionEntry(start, .state(.running)))
        for second in 0..<1_000 { course.take(entry(Double(second), 100)) }
        var frame = ChartFrame()
        _ = frame.take(course, version: 1)
        course.take(entry(1_000, 101))
        _ = frame.take(course, version: 2)
        #expect(frame.event(after: 1, of: id).count < 150)
        #expect(frame.event(after: 0, of: id).count > 4_000)
    }
}

@Suite(.timeLimit(.minutes(10))) struct ServedChangesTests {
    /// The system waits for the end of a task's cancellation before it resumes the task.
    @Test func `a browser may leave while a session changes`() async {
        let changes = ServedChanges()
        let session = Task.detached {
            while !Task.isCancelled {
                changes.notify()
                await Task.yield()
            }
        }
        for _ in 0..<2000 {
            let browser = Task { for await _ in changes.stream {} }
            await Task.yield()
            browser.cancel()
            await browser.value
        }
        session.cancel()
        await session.value
    }
}
