import Analytics
import HealthKit
import SessionLog
import StoredWorkouts
import Synchronization

/// The data that a live view draws of the session so far: the chart, and figures from the beats. Reads the log from its
/// first entry, so that a listener who comes late, or comes back, has all of it.
final class LiveTimeline: SessionLogSink {
    /// The athlete whose zones of power and pace are shown. It has none if they are unknown.
    let athlete: WorkoutAnalysis.Athlete
    private let state: Mutex<State>

    private struct State {
        var heartRate = HeartRateTimeline()
        // The same analysis as in 'workout analyze', for the same figures.
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
