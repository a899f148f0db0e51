/// The times and values of consecutive samples of a run, without who the samples are: what statistics read.
struct TimedValues {
    /// The place in the run of the first of them.
    let first: Int
    let starts: [Double]
    let ends: [Double]
    private(set) var values: [Double]

    var places: Range<Int> { first..<first + starts.count }

    /// Of the whole blocks of columns that a range of samples lies in.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(SampleRunError) {
        var reader = ByteReader(bytes)
        let count = try SampleRun.count(&reader)
        guard range.lowerBound >= 0, range.upperBound <= count else { throw .damaged("a wrong count of samples") }
        let range = PackedIntegers.blocks(around: range, of: count)
        let timeScale = try SampleRun.scale(&reader)
        let first = try PackedIntegers.read(range, of: count, from: &reader)
        var last = try PackedIntegers.read(range, of: count, from: &reader)
        if timeScale != .bits { for index in last.indices { last[index] &+= first[index] } }
        starts = timeScale.doubles(first)
        ends = timeScale.doubles(last)
        let valueScale = try SampleRun.scale(&reader)
        values = valueScale.doubles(try PackedIntegers.read(range, of: count, from: &reader))
        self.first = range.lowerBound
    }

    mutating func convert(_ conversion: UnitConversion) {
        if !conversion.isIdentity { for index in values.indices { values[index] = conversion(values[index]) } }
    }

    /// The place behind those, from one on, that begin before a bound and end there at the latest.
    func place(after place: Int, in range: Range<Int>, endingWithin bound: Double) -> Int {
        var index = place + 1 - first
        let end = range.upperBound - first
        while index < end, starts[index] < bound, ends[index] <= bound { index += 1 }
        return index + first
    }

    func add(_ range: Range<Int>, to statistics: inout RunningStatistics) {
        statistics.add(
            values, starts: starts, ends: ends, in: range.lowerBound - first..<range.upperBound - first)
    }

    /// A sample by its place in the run.
    subscript(place: Int) -> MeasuredValue {
        MeasuredValue(value: values[place - first], start: starts[place - first], end: ends[place - first])
    }
}

/// A value and the time it was measured over, in seconds since the reference date.
struct MeasuredValue: Equatable {
    var value: Double
    var start: Double
    var end: Double
    /// Until when it is held at the longest; nil where nothing was said of that.
    var holdEnd: Double?
}
