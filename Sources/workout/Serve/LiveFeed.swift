import Foundation
import HealthKit
import Recordings
import Reports
import StoredWorkouts
import Web

/// The frames that all browsers are shown. Each is made once for all of them, and only while a browser is connected.
///
/// A change is shown at once, but at most ten times a second. What depends on the clock alone is updated four times a
/// second. A slow browser gets the latest frame and skips those between, so that nothing piles up.
actor LiveFeed {
    static let shortestInterval = Duration.milliseconds(100)
    /// The interval at which the clock is updated, as on a screen.
    static let longestInterval = Duration.milliseconds(250)

    private let sessions: ServedSessions
    private var watching: [Int: AsyncStream<LiveFrame>.Continuation] = [:]
    private var number = 0
    private var frame = LiveFrame()
    private var work: Task<Void, Never>?

    init(_ sessions: ServedSessions) {
        self.sessions = sessions
    }

    /// Returns the present frame at once, then the latest whenever the last one was taken.
    func frames() -> AsyncStream<LiveFrame> {
        let (stream, continuation) = AsyncStream.makeStream(of: LiveFrame.self, bufferingPolicy: .bufferingNewest(1))
        number += 1
        let number = number
        watching[number] = continuation
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            Task { await self.leave(number) }
        }
        if work == nil {
            look()
            work = Task { await self.run() }
        }
        continuation.yield(frame)
        return stream
    }

    var watcherCount: Int { watching.count }

    private func leave(_ number: Int) {
        watching[number] = nil
        guard watching.isEmpty else { return }
        work?.cancel()
        work = nil
    }

    private func run() async {
        let ticker = Task { [changes = sessions.changes] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.longestInterval)
                changes.notify()
            }
        }
        defer { ticker.cancel() }
        for await _ in sessions.changes.stream {
            if Task.isCancelled { return }
            look()
            try? await Task.sleep(for: Self.shortestInterval)
        }
    }

    private func look() {
        // Pages translate what they show.
        let isNew = Language.$ofTask.withValue(.english) {
            frame.take(sessions.all.map { ($0.id, Figures($0), $0.course.heartRate) })
        }
        guard isNew else { return }
        for continuation in watching.values { continuation.yield(frame) }
    }
}

/// The content at one instant and the version of each part, so that each browser is sent what it has not seen. Pure.
struct LiveFrame: Sendable {
    /// The version of the last change.
    private(set) var version = 0
    private var list = Piece()
    private var sessions: [Shown] = []

    private struct Piece: Sendable {
        var version = 0
        var event: [UInt8] = []
    }

    private struct Shown: Sendable {
        var id: UUID
        var figures = Piece()
        var course = ChartFrame()
    }

    /// Updates the content. Returns whether anything changed.
    mutating func take(_ all: [(id: UUID, figures: Figures, heartRates: HeartRateTimeline)]) -> Bool {
        let next = version + 1
        var isNew = false
        let entries = JSONText.object([("sessions", .array(all.map(\.figures.entry)))]).text
        let listed = WebEvent.bytes("sessions", data: entries.utf8)
        if list.event != listed {
            list = Piece(version: next, event: listed)
            isNew = true
        }
        let known = Dictionary(sessions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        sessions = all.map { id, figures, heartRates in
            var shown = known[id] ?? Shown(id: id)
            let event = WebEvent.bytes("figures", data: figures.json.text.utf8)
            if shown.figures.event != event {
                shown.figures = Piece(version: next, event: event)
                isNew = true
            }
            if shown.course.take(heartRates, version: next) { isNew = true }
            return shown
        }
        if isNew { version = next }
        return isNew
    }

    /// Returns the events that a browser has not seen.
    ///
    /// - Parameters:
    ///   - seen: The ``version`` of the frame that it got last. 0 for none.
    ///   - session: The session whose events and chart to return. Nil for all sessions, without charts.
    func events(after seen: Int, of session: UUID?) -> [UInt8] {
        var bytes = list.version > seen ? list.event : []
        for shown in sessions where session == nil || shown.id == session {
            if shown.figures.version > seen { bytes += shown.figures.event }
            if session != nil { bytes += shown.course.event(after: seen, of: shown.id) }
        }
        return bytes
    }
}

/// The chart of a session. Each browser is sent the end that it has not seen. Pure.
struct ChartFrame: Sendable {
    private var slotInSeconds = 1.0
    /// The heart rates in beats per minute.
    private var heartRates: [Double?] = []
    /// The changes, newest last: from which index on the chart changed in which version.
    private var changes: [(version: Int, from: Int)] = []

    /// How many changes are kept. A browser further behind is sent the whole chart.
    private static let mostChanges = 100

    mutating func take(_ course: HeartRateTimeline, version: Int) -> Bool {
        let next = course.heartRates
        let from: Int
        if course.slotInSeconds != slotInSeconds {
            from = 0
        } else {
            from =
                zip(heartRates, next).enumerated().first { $0.element.0 != $0.element.1 }?.offset
                ?? min(heartRates.count, next.count)
            guard from < max(heartRates.count, next.count) else { return false }
        }
        slotInSeconds = course.slotInSeconds
        heartRates = next
        changes = (changes + [(version, from)]).suffix(Self.mostChanges)
        return true
    }

    func event(after seen: Int, of session: UUID) -> [UInt8] {
        guard let newest = changes.last, newest.version > seen || seen == 0 else { return [] }
        let unseen = changes.filter { $0.version > seen }
        // Changes dropped from the list may concern any part.
        let knowsAll = seen > 0 && (changes.count < Self.mostChanges || unseen.count < changes.count)
        let from = knowsAll ? unseen.map(\.from).min() ?? 0 : 0
        return WebEvent.bytes("course", data: json(from: from, session).text.utf8)
    }

    private func json(from: Int, _ session: UUID) -> JSONText {
        .object([
            ("session", .string(session.uuidString)), ("slotInSeconds", .number(slotInSeconds)),
            ("from", .integer(from)),
            (
                "heartRates",
                .array(heartRates.dropFirst(from).map { $0.map { .number(($0 * 10).rounded() / 10) } ?? .null })
            ),
        ])
    }
}
