import Analytics
import SessionLog
import Units

/// The figures of a run that its row does not hold: eleven numbers, a twelfth if the end of the last value's hold is
/// known, and the parts of a long run.
struct RunSummary {
    private static let numbers = 11

    var sum, covered, integral, weighted: Double
    var recentValue, recentStart, recentEnd: Double
    var lastValue, lastStart, lastEnd: Double
    /// The number of values. For a series, there are more than samples.
    var count: Double
    /// The latest date until which the last value is held.
    var holdEnd: Double?
    /// Encoded, because only statistics with bounds inside the run read them.
    private var partBytes: [UInt8] = []

    init(_ run: SampleRun, _ statistics: RunningStatistics, _ conversion: UnitConversion) {
        self.init(run, run.starts.indices, statistics, conversion)
        holdEnd = run.holdEnd
    }

    /// Computes the figures of a range of a run's samples.
    fileprivate init(
        _ run: SampleRun, _ range: Range<Int>, _ statistics: RunningStatistics, _ conversion: UnitConversion
    ) {
        sum = statistics.sum
        covered = statistics.coveredSeconds
        integral = statistics.integral
        weighted = statistics.weightedSeconds
        recentValue = statistics.mostRecent?.value ?? 0
        recentStart = statistics.mostRecent?.start.timeIntervalSinceReferenceDate ?? 0
        recentEnd = statistics.mostRecent?.end.timeIntervalSinceReferenceDate ?? 0
        lastValue = range.last.map { conversion(run.values[$0]) } ?? 0
        lastStart = range.last.map { run.starts[$0] } ?? 0
        lastEnd = range.last.map { run.ends[$0] } ?? 0
        count = Double(statistics.count)
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        let size = 8 * Self.numbers
        guard bytes.count >= size else { return nil }
        let rest = (bytes.count - size) % RunPart.byteCount
        guard rest == 0 || rest == 8 else { return nil }
        func number(_ index: Int) -> Double { bytes.loadUnaligned(fromByteOffset: 8 * index, as: Double.self) }
        sum = number(0)
        covered = number(1)
        integral = number(2)
        weighted = number(3)
        recentValue = number(4)
        recentStart = number(5)
        recentEnd = number(6)
        lastValue = number(7)
        lastStart = number(8)
        lastEnd = number(9)
        count = number(10)
        holdEnd = rest == 8 ? number(11) : nil
        if bytes.count > size + rest { partBytes = Array(bytes.dropFirst(size + rest)) }
    }

    /// Nil if no run can have the stored number.
    var valueCount: Int? { Int(exactly: count).flatMap { 0...SampleRun.mostSamples ~= $0 ? $0 : nil } }

    /// In this machine's byte order, which is little-endian wherever Swift runs on Linux.
    var data: Data {
        let numbers = [
            sum, covered, integral, weighted, recentValue, recentStart, recentEnd, lastValue, lastStart, lastEnd, count,
        ]
        return (numbers + (holdEnd.map { [$0] } ?? [])).withUnsafeBytes { Data($0) } + partBytes
    }

    /// The figures of consecutive parts of the run. Empty for a run that is always read as a whole.
    var parts: [RunPart] {
        get {
            partBytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: RunPart.byteCount).compactMap {
                    RunPart(UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + RunPart.byteCount]))
                }
            }
        }
        set { partBytes = newValue.flatMap { Array($0.data) } }
    }

    func statistics(
        _ rule: AveragingRule, count: Int, minimum: Double, maximum: Double, start: Double
    ) -> RunningStatistics {
        func timed(_ value: Double, _ start: Double, _ end: Double) -> TimedValue {
            TimedValue(
                value: value, start: Date(timeIntervalSinceReferenceDate: start),
                end: Date(timeIntervalSinceReferenceDate: end))
        }
        return RunningStatistics(
            rule, count: Int(exactly: self.count) ?? count, sum: sum, minimum: minimum, maximum: maximum,
            mostRecent: timed(recentValue, recentStart, recentEnd), coveredSeconds: covered, integral: integral,
            weightedSeconds: weighted, firstStart: Date(timeIntervalSinceReferenceDate: start),
            last: timed(lastValue, lastStart, lastEnd))
    }
}

/// The figures of a quarter of an hour of a run, because the offset of every time zone in use is a multiple of 15
/// minutes.
struct RunPart {
    /// Its own four numbers, then those of a ``RunSummary``.
    static let byteCount = 8 * 15

    var start, end, minimum, maximum: Double
    private var figures: RunSummary

    var lastStart: Double { figures.lastStart }
    /// The number of samples.
    var count: Int { figures.valueCount ?? 0 }

    fileprivate init(
        _ run: SampleRun, _ range: Range<Int>, _ statistics: RunningStatistics, _ conversion: UnitConversion
    ) {
        start = run.starts[range.lowerBound]
        end = run.ends[range].max() ?? start
        minimum = statistics.minimum
        maximum = statistics.maximum
        figures = RunSummary(run, range, statistics, conversion)
    }

    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        guard let figures = RunSummary(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(32))) else { return nil }
        func number(_ index: Int) -> Double { bytes.loadUnaligned(fromByteOffset: 8 * index, as: Double.self) }
        self.figures = figures
        start = number(0)
        end = number(1)
        minimum = number(2)
        maximum = number(3)
    }

    fileprivate var data: Data { [start, end, minimum, maximum].withUnsafeBytes { Data($0) } + figures.data }

    func statistics(_ rule: AveragingRule) -> RunningStatistics {
        figures.statistics(rule, count: count, minimum: minimum, maximum: maximum, start: start)
    }
}

extension SampleRun {
    /// Opening a shorter run is as fast as reading its parts.
    static let shortestInParts = 1024
    /// Quarters of one hour make no more parts than this.
    private static let mostParts = 9

    /// Returns the figures of each quarter of an hour. Empty for a short run and for one of many hours.
    func parts(_ rule: AveragingRule, _ conversion: UnitConversion) -> [RunPart] {
        guard count >= Self.shortestInParts else { return [] }
        let values = conversion.isIdentity ? self.values : self.values.map { conversion($0) }
        var parts: [RunPart] = []
        var areTooMany = false
        forEachCell(inSeconds: Self.partInSeconds) { places in
            areTooMany = parts.count == Self.mostParts
            guard !areTooMany else { return false }
            var statistics = RunningStatistics(rule)
            statistics.add(values, starts: starts, ends: ends, in: places)
            parts.append(RunPart(self, places, statistics, conversion))
            return true
        }
        guard !areTooMany else { return [] }
        // SQLite has no NaN, and infinite figures cannot be merged.
        return parts.count > 1 && parts.allSatisfy(\.isOfNumbers) ? parts : []
    }
}

extension RunPart {
    fileprivate var isOfNumbers: Bool { minimum.isFinite && maximum.isFinite }
}
