import Foundation

/// Figures of one run that are comparable between machines: counts, and ratios to work in the same run. Times are the
/// best of several repetitions; their thresholds are wide enough for a busy machine.
struct BenchmarkFigures {
    private(set) var values: [String: Double] = [:]

    mutating func note(_ name: String, _ value: Double) { values[name] = min(value, values[name] ?? .infinity) }

    /// The unit for times: nanoseconds that a thousand dependent steps of integer arithmetic take on this machine
    /// now.
    static func referenceInNanoseconds() -> Double {
        let steps = 5_000_000
        var number: UInt64 = 1
        let time = ContinuousClock().measure {
            for _ in 0..<steps {
                number = (number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407) ^ number >> 33
            }
        }
        precondition(number != 0)
        return time / .nanoseconds(1) / Double(steps) * 1000
    }
}

/// Compares figures with the thresholds of a JSON file: section → figure → the highest allowed value. Prints each
/// figure, and fails if one is too high or was not measured.
func checkBenchmarks(_ thresholds: URL) async throws {
    let limits = try JSONDecoder().decode([String: [String: Double]].self, from: Data(contentsOf: thresholds))
    var figures = BenchmarkFigures()
    for _ in 0..<3 {
        let reference = BenchmarkFigures.referenceInNanoseconds()
        if limits["spine"] != nil {
            let spine = await benchmarkSpine(packets: 200_000)
            figures.note("spine.allocations a packet", spine.allocations)
            figures.note("spine.time a packet, in references", spine.nanoseconds / reference)
        }
        if limits["store"] != nil {
            let store = try benchmarkStore(samples: 1_000_000)
            figures.note("store.bytes a sample", store.bytesASample)
            figures.note("store.saving, in times of making the objects", store.saving / store.making)
            figures.note(
                "store.time of an hourly average, in references a thousand samples", store.hourly * 1e3 / reference)
            figures.note("store.average half an hour from UTC, in times of an hourly one", store.half / store.hourly)
            figures.note("store.average at odd bounds, in times of an hourly one", store.odd / store.hourly)
        }
        if limits["import"] != nil {
            figures.note(
                "import.storing a ride, in times of reading its entries", try benchmarkStoring(records: 36_000))
        }
    }
    var isOver = false
    for (section, limits) in limits.sorted(by: { $0.key < $1.key }) {
        for (name, limit) in limits.sorted(by: { $0.key < $1.key }) {
            let value = figures.values["\(section).\(name)"]
            let isGood = value.map { $0 <= limit } ?? false
            isOver = isOver || !isGood
            let text = value.map { String(format: "%.3f", $0) } ?? "not measured"
            print("\(isGood ? "ok  " : "OVER") \(section): \(name): \(text) (at most \(String(format: "%.3f", limit)))")
        }
    }
    guard !isOver else { throw BenchmarkOver() }
}

private struct BenchmarkOver: LocalizedError {
    var errorDescription: String? {
        "a figure is over its threshold in Tests/Benchmarks/thresholds.json: mend the cause, or raise it in a commit that says why"
    }
}
