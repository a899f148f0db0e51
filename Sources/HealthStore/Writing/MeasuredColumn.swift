import SessionLog

/// Sensor readings to be stored: samples of one type, unit and device as columns, without an object for each.
struct MeasuredColumn {
    let measured: MeasuredType
    let device: HKDevice?
    var type: HKQuantityType { measured.type }
    var unit: HKUnit { measured.unit }
    private(set) var starts: [Double] = []
    private(set) var ends: [Double] = []
    private(set) var values: [Double] = []
    private(set) var ids: [UUID] = []
    /// The place of each sample in its batch.
    private(set) var places: [Int] = []

    init(_ measured: MeasuredType, _ device: HKDevice?) {
        self.measured = measured
        self.device = device
    }

    /// Adds a reading. Returns false if it is no sample.
    mutating func append(_ reading: ReadingNumbers, of samples: inout LoggedSamples, at place: Int) -> Bool {
        guard let id = samples.identify(reading, measured) else { return false }
        starts.append(reading.start.timeIntervalSinceReferenceDate)
        ends.append(reading.end.timeIntervalSinceReferenceDate)
        values.append(reading.value)
        ids.append(id)
        places.append(place)
        return true
    }

    /// Returns the column without the samples at these indices.
    func without(_ indices: Set<Int>) -> MeasuredColumn {
        var copy = self
        let left = ids.indices.filter { !indices.contains($0) }
        copy.starts = left.map { starts[$0] }
        copy.ends = left.map { ends[$0] }
        copy.values = left.map { values[$0] }
        copy.ids = left.map { ids[$0] }
        copy.places = left.map { places[$0] }
        return copy
    }

    mutating func removeAll() {
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        ids.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }
}
