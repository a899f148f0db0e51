import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog

/// One session of another machine, as the board shows it. Pure except that it reads the session.
struct MirroredView {
    /// For how long `e` waits for its `y`.
    static let questionLimitInSeconds = 10.0

    let session: HKWorkoutSession
    let peer: String
    let course = LiveTimeline()
    /// The session's messages, oldest first.
    private(set) var messages: [String] = []
    /// Whether the other machine is out of reach. The view then shows the last known state.
    var isLost = false
    /// Whether no more data comes, because the session or its mirroring has ended.
    var isOver = false
    private var asked: Date?

    init(_ session: HKWorkoutSession) {
        self.session = session
        peer = session.origin?.peer ?? "another machine"
    }

    var id: UUID { session.recorder.id }

    mutating func note(_ line: String) {
        if messages.last != line { messages.append(line) }
        if messages.count > 20 { messages.removeFirst() }
    }

    /// What a key requests besides a change of the view.
    enum Request: Equatable { case pause, resume, lap, end }

    /// Returns the request of a key. Returns nil for a key that has no meaning, or none now.
    mutating func press(_ key: Key, at now: Date) -> Request? {
        let isAsked = isAsked(at: now)
        asked = nil
        guard case .character(let character) = key else { return nil }
        let request: Request
        switch character.lowercased() {
        case "p": request = .pause
        case "r": request = .resume
        case "l": request = .lap
        case "e": request = .end
        case "y" where isAsked: return .end
        default: return nil
        }
        if isOver {
            note("it has ended")
        } else if isLost {
            note("\(peer) is out of reach; keys work again once it is back")
        } else if request == .lap, session.recorder.read({ $0.phase == .paused }) {
            note("no laps during a pause")
        } else if request == .end {
            // One key never ends a workout, because an ended workout cannot be continued.
            asked = now
        } else {
            return request
        }
        return nil
    }

    private func isAsked(at now: Date) -> Bool {
        asked.map { now.timeIntervalSince($0) < Self.questionLimitInSeconds } ?? false
    }

    func snapshot(at now: Date = Date(), namesPeer: Bool = true) -> LiveSnapshot {
        var snapshot = LiveSnapshot(mirrored: session, course)
        if namesPeer { snapshot.activity += " on \(peer)" }
        snapshot.messages = messages
        snapshot.isOutOfReach = isLost && !isOver
        if isAsked(at: now) { snapshot.question = "End the session on \(peer)? y: yes, any other key: keep going" }
        return snapshot
    }

    /// Returns the closing line about the session.
    func sentence(isStored: Bool) -> String {
        let snapshot = snapshot()
        var parts = [snapshot.activity, MetricFormat.time(snapshot.durationInSeconds)]
        if let distance = snapshot.distanceInMeters { parts.append(MetricFormat.distance(distance)) }
        if isStored { parts.append("stored as \(id.uuidString)") }
        return DisplayWidth.printable(parts.joined(separator: "  "))
    }
}
