import SessionLog

/// Samples of one kind to be stored, as columns.
struct SampleGroup {
    var type: HKSampleType
    var unit: HKUnit?
    var origin: StoredRun.Origin
    var starts: [Double] = []
    var ends: [Double] = []
    var values: [Double] = []
    /// 0 for samples that get a new number.
    var sequences: [Int64] = []
    var ids: [UUID] = []
    /// Samples whose last value is held no longer. Their rows end there too.
    private(set) var closed: [SampleRun] = []

    init(type: HKSampleType, unit: HKUnit?, origin: StoredRun.Origin) {
        self.type = type
        self.unit = unit
        self.origin = origin
    }

    private var samples: SampleRun {
        SampleRun(
            starts: starts, ends: ends, values: values, sequences: sequences, ids: .listed(ids))
    }

    mutating func append(_ column: MeasuredColumn, numbered sequences: [Int64]) {
        starts += column.starts
        ends += column.ends
        values += column.values
        self.sequences += sequences
        ids += column.ids
    }

    /// Adds a stored sample with its number.
    mutating func append(_ samples: SampleRun, at index: Int) {
        starts.append(samples.starts[index])
        ends.append(samples.ends[index])
        values.append(samples.values[index])
        sequences.append(samples.sequences[index])
        ids.append(samples.id(index))
    }

    /// The samples as rows.
    var runs: [SampleRun] { (closed + (ids.isEmpty ? [] : [samples])).flatMap { $0.cut() } }

    /// Ends the hold of the last value at this date.
    mutating func endHold(at date: Double) {
        guard !ids.isEmpty, (type as? HKQuantityType).map({ $0.averagingRule != .arithmetic }) == true else {
            return
        }
        var ended = samples
        ended.holdEnd = date
        let before = closed
        keep(SampleRun())
        closed = before + [ended]
    }

    var count: Int { closed.reduce(ids.count) { $0 + $1.count } }

    /// Replaces the samples.
    mutating func keep(_ samples: SampleRun) {
        closed = []
        starts = samples.starts
        ends = samples.ends
        values = samples.values
        sequences = samples.sequences
        ids = samples.ids.all
    }
}
