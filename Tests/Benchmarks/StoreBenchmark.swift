import Foundation
import Glibc
import HealthKit
import SessionLog

/// Times are milliseconds for all samples. Those of statistics are processor time and the best of several runs, so
/// other work on the machine matters less.
struct StoreFigures {
    var making = 0.0
    var saving = 0.0
    var bytesASample = 0.0
    /// The hourly average, from the summaries of the rows.
    var hourly = 0.0
    /// The hourly average half an hour later, as in India, from the summaries of the parts of rows.
    var half = 0.0
    /// The hourly average with bounds inside the parts of rows, so that a part of each row is opened.
    var odd = 0.0
}

/// Measures the store: bytes per sample, saving, statistics over a whole history, the newest samples, opening.
///
/// The heart rate at 1 Hz wanders as a real one does, and is saved through the API's own objects.
///
/// - Parameter isUneven: Whether samples come up to a quarter of a second late, as those of a strap do.
@discardableResult
func benchmarkStore(samples total: Int = 10_000_000, isUneven: Bool = false) throws -> StoreFigures {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-benchmark-\(total)").path
    try? FileManager.default.removeItem(atPath: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/health.sqlite"
    let type = HKQuantityType(.heartRate)
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000 - 700_000_000.truncatingRemainder(dividingBy: 86400))
    let batch = 100_000

    func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .milliseconds(1)
    }
    func report(_ name: String, _ value: Double, _ unit: String) {
        print("\(isUneven ? "uneven " : "")\(name): \(String(format: "%.2f", value)) \(unit)")
    }

    var figures = StoreFigures()
    /// Closing the last connection moves the write-ahead log into the file.
    func save() throws {
        let database = SQLiteHealthDatabase(.file(path))
        var walk = HeartRateWalk()
        for first in stride(from: 0, to: total, by: batch) {
            var made: [HKQuantitySample] = []
            figures.making += milliseconds {
                made = walk.samples(first..<min(first + batch, total), from: start, type, isUneven: isUneven)
            }
            figures.saving += try milliseconds { try database.save(made, from: .current) }
        }
    }
    try save()
    report("store: making objects", Double(total) / figures.making / 1000, "million samples/s")
    report("store: save", Double(total) / figures.saving / 1000, "million samples/s")
    let sizes = ["", "-wal"].compactMap {
        try? FileManager.default.attributesOfItem(atPath: path + $0)[.size] as? Int
    }
    figures.bytesASample = Double(sizes.reduce(0, +)) / Double(total)
    report("store: bytes a sample", figures.bytesASample, "B")

    let reopened = SQLiteHealthDatabase(.file(path))
    report("store: open", try milliseconds { _ = try reopened.setting("none") }, "ms")
    let seconds = Double(total)
    let collections: [(String, Double, Double)] = [
        ("hourly", 3600, 0), ("daily", 86400, 0), ("hourly, half an hour from UTC,", 3600, -1800),
        ("hourly at odd bounds", 3600, -1111),
    ]
    for (name, width, first) in collections {
        let bounds = stride(from: first, to: seconds + width, by: width).map { start + $0 }
        let runs = try (0..<7).map { _ in
            try processorMilliseconds {
                let buckets = try reopened.statistics(
                    SampleSelection(type), bounds: .dates(bounds), separatingSources: false)
                precondition(buckets.reduce(0) { $0 + $1.total.count } == total)
            }
        }
        report("store: \(name) average, first", runs[0], "ms")
        let warm = runs.dropFirst().min() ?? .infinity
        report("store: \(name) average, warm", warm, "ms")
        if name == "hourly" { figures.hourly = warm }
        if first == -1800 { figures.half = warm }
        if first == -1111 { figures.odd = warm }
    }
    let newest = try (0..<7).map { _ in
        try milliseconds {
            let samples = try reopened.samples(
                [SampleSelection(type)], sortedBy: [SampleSort(.endDate, ascending: false)], limit: 20)
            precondition(samples.count == 20)
        }
    }
    report("store: newest 20", newest.sorted()[3], "ms")
    return figures
}

/// The processor time of the process.
private func processorMilliseconds(_ work: () throws -> Void) rethrows -> Double {
    // In microseconds, whatever the machine (POSIX, clock).
    func now() -> Double { Double(clock()) / 1000 }
    let start = now()
    try work()
    return now() - start
}

/// Measures an app that saves one sample at a time, and one that saves a million at once through `HKHealthStore`.
func benchmarkStoreSaving() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-benchmark-saving").path
    try? FileManager.default.removeItem(atPath: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let type = HKQuantityType(.heartRate)
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    var walk = HeartRateWalk()
    let clock = ContinuousClock()

    let lone = SQLiteHealthDatabase(.file(folder + "/lone.sqlite"))
    let singles = walk.samples(0..<10_000, from: start, type)
    let time = try clock.measure { for sample in singles { try lone.save([sample], from: .current) } }
    print("store: save one at a time: \(time / singles.count) each")

    let path = folder + "/many.sqlite"
    let store = HKHealthStore(
        environment: HealthEnvironment(sensors: [], database: SQLiteHealthDatabase(.file(path))))
    let million = walk.samples(10_000..<1_010_000, from: start, type)
    let whole = try await clock.measure { try await store.save(million) }
    print("store: save a million through HKHealthStore: \(whole), \(1000 / (whole / .milliseconds(1))) million/s")
}

/// A heart rate that wanders in whole beats per minute.
struct HeartRateWalk {
    private var generator: UInt64 = 1
    private var rate = 120

    mutating func samples(
        _ range: Range<Int>, from start: Date, _ type: HKQuantityType, isUneven: Bool = false
    ) -> [HKQuantitySample] {
        let unit = HKUnit.count().unitDivided(by: .minute())
        return range.map { second in
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            rate = min(180, max(60, rate + Int(generator >> 60) % 5 - 2))
            let lateness = isUneven ? Double(generator >> 40 & 0xFF) / 1024 : 0
            let date = start + Double(second) + lateness
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: Double(rate)), start: date, end: date)
        }
    }
}
