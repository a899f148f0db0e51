import Foundation
import HealthKit
import Recordings

/// What the keys of a live view ask for. Pure: a state machine with the time as a parameter.
struct LiveKeys: Sendable {
    /// For how long a question waits for its `y`.
    static let questionLimitInSeconds = 10.0

    /// Of a session that cannot be had again: nothing ends it by one key.
    var asksBeforeEnd: Bool
    private(set) var span = LiveSnapshot.CurveSpan.whole
    private var asked: Date?

    init(asksBeforeEnd: Bool) {
        self.asksBeforeEnd = asksBeforeEnd
    }

    enum Request: Equatable { case begin, pause, resume, lap, end }

    /// Nil for a key that means nothing, or only changes what is shown.
    mutating func press(_ key: Key, in phase: SessionPhase, at now: Date) -> Request? {
        let wasAsked = isAsked(at: now)
        asked = nil
        switch key {
        case .control("c"): return .end
        case .enter where phase == .prepared: return .begin
        case .character(let character):
            switch character.lowercased() {
            case "s" where phase == .prepared: return .begin
            case "p": return .pause
            case "r": return .resume
            case "l": return .lap
            case "t": span = span.other
            case "y" where wasAsked: return .end
            case "q":
                // One that is over already only waits to be stored.
                guard asksBeforeEnd, phase == .running || phase == .paused else { return .end }
                asked = now
            default: break
            }
        default: break
        }
        return nil
    }

    func show(on snapshot: inout LiveSnapshot, at now: Date) {
        snapshot.curveSpan = span
        if isAsked(at: now) { snapshot.question = "Finish and save? y = yes, any other key = keep going" }
    }

    private func isAsked(at now: Date) -> Bool {
        asked.map { (0..<Self.questionLimitInSeconds).contains(now.timeIntervalSince($0)) } ?? false
    }
}
