import Analytics
import SessionLog
import Units

/// The times and values of consecutive samples of a run, without their UUIDs. Statistics read them.
struct TimedValues {
    /// The index of the first in the run.
    let first: Int
    private let times: SampleTimes
    private(set) var values: [Double]

    var places: Range<Int> { first..<first + values.count }

    /// Reads the blocks that contain a range of samples.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(SampleRunError) {
        var reader = ByteReader(bytes)
        let count = try SampleRun.count(&reader)
        guard range.lowerBound >= 0, range.upperBound <= count else { throw .damaged("a wrong count of samples") }
        let range = PackedIntegers.blocks(around: range, of: count)
        let timeScale = try SampleRun.scale(&reader)
        let starts = try PackedIntegers.read(range, of: count, from: &reader)
        let lengths = try PackedIntegers.read(range, of: count, from: &reader)
        times = SampleTimes(starts, lengths, timeScale)
        let valueScale = try SampleRun.scale(&reader)
        // Values after the range are not needed.
        values = valueScale.doubles(try PackedIntegers.read(range, of: range.upperBound, from: &reader).all)
        first = range.lowerBound
    }

    mutating func convert(_ conversion: UnitConversion) {
        if !conversion.isIdentity { for index in values.indices { values[index] = conversion(values[index]) } }
    }

    /// Returns the index after the samples, from a given one on, that begin before a bound and end by then.
    func place(after place: Int, in range: Range<Int>, endingWithin bound: Double) -> Int {
        times.place(after: place - first, until: range.upperBound - first, endingWithin: bound) + first
    }

    func add(_ range: Range<Int>, to statistics: inout RunningStatistics) {
        let range = range.lowerBound - first..<range.upperBound - first
        switch times {
        case .listed(let starts, let ends):
            statistics.add(values, starts: starts, ends: ends, in: range)
        case .steady(let pace):
            statistics.add(
                values, in: range, from: pace.time(range.lowerBound), to: pace.time(range.upperBound - 1),
                every: pace.stepInSeconds, lasting: pace.lengthInSeconds)
        }
    }

    /// Returns a sample by its index in the run.
    subscript(place: Int) -> MeasuredValue {
        let (start, end) = times[place - first]
        return MeasuredValue(value: values[place - first], start: start, end: end)
    }
}

/// The starts and ends of consecutive samples, in seconds since the reference date.
private enum SampleTimes {
    case listed(starts: [Double], ends: [Double])
    case steady(SteadyPace)

    init(_ starts: UnpackedIntegers, _ lengths: UnpackedIntegers, _ scale: ColumnScale) {
        if scale != .bits, case .steady(let first, let step, _) = starts, step >= 0,
            case .steady(let length, 0, _) = lengths, length >= 0
        {
            self = .steady(SteadyPace(first: first, step: step, length: length, scale: scale))
            return
        }
        let first = starts.all
        if scale != .bits, case .steady(0, 0, _) = lengths {
            let moments = scale.doubles(first)
            self = .listed(starts: moments, ends: moments)
            return
        }
        var last = lengths.all
        if scale != .bits { for index in last.indices { last[index] &+= first[index] } }
        self = .listed(starts: scale.doubles(first), ends: scale.doubles(last))
    }

    subscript(index: Int) -> (start: Double, end: Double) {
        switch self {
        case .listed(let starts, let ends): (starts[index], ends[index])
        case .steady(let pace): (pace.start(index), pace.end(index))
        }
    }

    func place(after index: Int, until end: Int, endingWithin bound: Double) -> Int {
        switch self {
        case .listed(let starts, let ends):
            var index = index + 1
            while index < end, starts[index] < bound, ends[index] <= bound { index += 1 }
            return index
        case .steady(let pace):
            return (index + 1..<end).partitioningIndex { pace.start($0) >= bound || pace.end($0) > bound }
        }
    }
}

/// Samples of equal length that begin at equal intervals, in the integers of a scale.
private struct SteadyPace {
    let first: Int64
    let step: Int64
    let length: Int64
    let scale: ColumnScale

    var stepInSeconds: Double { scale.double(step) }
    var lengthInSeconds: Double { scale.double(length) }

    func start(_ index: Int) -> Double { scale.double(first &+ step &* Int64(index)) }
    func end(_ index: Int) -> Double { scale.double(first &+ step &* Int64(index) &+ length) }
    func time(_ index: Int) -> ClosedRange<Double> { start(index)...max(start(index), end(index)) }
}

/// A value and the time it was measured over, in seconds since the reference date.
struct MeasuredValue: Equatable {
    var value: Double
    var start: Double
    var end: Double
    /// The latest date until which it is held. Nil if unknown.
    var holdEnd: Double?
}
