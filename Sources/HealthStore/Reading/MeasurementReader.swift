import Units

/// Collects quantities as numbers, in order of their starts and then of insertion.
///
/// It works on whole columns. To sort a value for each sample, as in ``LimitedSampleReader``, would cost many times as much as
/// reading them.
struct MeasurementReader {
    private let reader: StoreReader
    private var found: [StoredMeasurement] = []
    /// The sequence numbers of the samples of the measurements.
    private var places: [Place] = []
    private var isSorted = true
    /// The sequence numbers found so far, if another selection may find them again.
    private var seen: Set<Int64>?

    private struct Place {
        var start: Double
        var sequence: Int64

        static func < (a: Place, b: Place) -> Bool { (a.start, a.sequence) < (b.start, b.sequence) }
    }

    /// - Parameter mayRepeat: Whether several selections may contain the same samples.
    init(_ reader: StoreReader, mayRepeat: Bool) {
        self.reader = reader
        seen = mayRepeat ? [] : nil
    }

    /// Leaves out samples without quantities.
    mutating func add(_ selection: SampleSelection) throws {
        try reader.eachMatch(selection, order: "ORDER BY start") { run, samples, indices in
            let new = seen.map { seen in indices.filter { !seen.contains(samples.sequences[$0]) } } ?? indices
            try add(run, samples, new)
            seen?.formUnion(new.map { samples.sequences[$0] })
            return true
        }
    }

    /// Adds all quantities of a row.
    mutating func add(_ run: StoredRun) throws {
        let samples = try reader.members(run)
        try add(run, samples, samples.starts.indices)
    }

    private mutating func add(_ run: StoredRun, _ samples: SampleRun, _ indices: some Sequence<Int>) throws {
        guard let shared = try reader.shared(run) else { return }
        if run.kind == .quantities {
            add(samples, indices, of: samples, shared)
        } else {
            let inside = try reader.columns(run)
            for index in indices { add(inside, inside.starts.indices, of: samples, at: index, shared) }
        }
    }

    /// - Parameter sample: The index in `samples` of the series with all values. Nil if each value is a sample.
    private mutating func add(
        _ values: SampleRun, _ indices: some Sequence<Int>, of samples: SampleRun, at sample: Int? = nil,
        _ shared: StoreReader.SharedByMeasurements
    ) {
        let (starts, sequences, ids) = (samples.starts, samples.sequences, samples.ids)
        let (from, to, numbers) = (values.starts, values.ends, values.values)
        for index in indices {
            let own = sample ?? index
            let place = Place(start: starts[own], sequence: sequences[own])
            if let last = places.last, place < last { isSorted = false }
            places.append(place)
            found.append(
                StoredMeasurement(
                    shared: shared.0, sample: ids[own], sequence: place.sequence, start: from[index], end: to[index],
                    value: shared.1(numbers[index])))
        }
    }

    var measurements: [StoredMeasurement] {
        guard !isSorted else { return found }
        return found.indices.sorted { a, b in
            (places[a].start, places[a].sequence, a) < (places[b].start, places[b].sequence, b)
        }.map { found[$0] }
    }
}
