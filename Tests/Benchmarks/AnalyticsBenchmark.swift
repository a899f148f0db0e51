import Analytics
import Foundation

/// The cost of a workout's live figures: alpha1 of a window, with and without cleaning the window.
func benchmarkAnalytics() {
    let beats = BeatsOfBenchmark.intervals(240)
    report("alpha1 of 240 beats") { DetrendedFluctuationAnalysis.alpha1(intervalsInMilliseconds: beats) ?? 0 }
    report("240 beats cleaned") { Double(BeatFilter.filter(beats).intervals.count) }
    var window = Alpha1Window()
    var seconds = 0.0
    for beat in BeatsOfBenchmark.intervals(1000) {
        seconds += beat / 1000
        window.add([beat], at: seconds)
    }
    report("alpha1 of the last two minutes, cleaned") { (try? window.reading.get().alpha1) ?? 0 }
}

/// The best of several rounds of a thousand each.
private func report(_ name: String, _ work: () -> Double) {
    let times = 1000
    var best = Duration.seconds(1000)
    var sum = 0.0
    for _ in 0..<20 {
        best = min(best, ContinuousClock().measure { for _ in 0..<times { sum += work() } })
    }
    precondition(sum != 0)
    print("analytics \(name): " + String(format: "%.2f µs", best / .microseconds(1) / Double(times)))
}

private enum BeatsOfBenchmark {
    /// Around 500 ms, as at 120 beats a minute.
    static func intervals(_ count: Int) -> [Double] {
        var random = SeededGenerator(seed: 1)
        var wander = 0.0
        return (0..<count).map { _ in
            wander = 0.9 * wander + Double.random(in: -6...6, using: &random)
            return 500 + wander
        }
    }
}
