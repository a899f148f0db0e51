import Analytics
import HealthKit
import SessionLog
import Synchronization

/// What a live view draws of all the session so far: its curve, and what its beats say. Reads the log from its first entry, so
/// that a listener who comes late, or comes back, has all of it.
final class LiveTimeline: SessionLogSink {
    /// Whose zones of power and pace are shown; one without any where nobody knows.
    let athlete: WorkoutAnalysis.Athlete
    private let state: Mutex<State>

    private struct State {
        var heartRate = HeartRateTimeline()
        // The fold of 'workout analyze', for the same figures.
        var analysis: WorkoutAnalysis
    }

    init(_ athlete: WorkoutAnalysis.Athlete = WorkoutAnalysis.Athlete()) {
        self.athlete = athlete
        state = Mutex(State(analysis: WorkoutAnalysis(athlete)))
    }

    func append(_ entry: SessionEntry) {
        state.withLock {
            $0.heartRate.take(entry)
            $0.analysis.take(entry)
        }
    }

    func beginAnew() { state.withLock { $0 = State(analysis: WorkoutAnalysis(athlete)) } }

    var heartRate: HeartRateTimeline { state.withLock { $0.heartRate } }
    var alpha1: Alpha1Timeline { state.withLock { $0.analysis.alpha1 } }
}
