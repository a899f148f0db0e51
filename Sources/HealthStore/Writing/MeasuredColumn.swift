import Recordings

/// Readings of sensors on their way into the store: samples of one type, unit and device as columns, without an object for
/// each.
struct MeasuredColumn {
    let type: HKQuantityType
    let unit: HKUnit
    let device: HKDevice?
    private(set) var starts: [Double] = []
    private(set) var ends: [Double] = []
    private(set) var values: [Double] = []
    private(set) var ids: [UUID] = []
    private let hasCompatibleUnit: Bool
    private let hasRestrictedDuration: Bool

    init(_ measured: MeasuredType, _ device: HKDevice?) {
        type = measured.type
        unit = measured.unit
        self.device = device
        hasCompatibleUnit = type.is(compatibleWith: unit)
        hasRestrictedDuration = type.isMaximumDurationRestricted || type.isMinimumDurationRestricted
    }

    /// Adds a reading under the UUID of its sample; false if it can be none: see ``HKQuantitySample/validated(_:type:quantity:start:end:)``.
    mutating func append(_ reading: ReadingNumbers, _ id: UUID) -> Bool {
        guard hasCompatibleUnit, reading.value.isFinite, reading.start <= reading.end else { return false }
        if hasRestrictedDuration, (try? HKSample.check(type, start: reading.start, end: reading.end)) == nil {
            return false
        }
        starts.append(reading.start.timeIntervalSinceReferenceDate)
        ends.append(reading.end.timeIntervalSinceReferenceDate)
        values.append(reading.value)
        ids.append(id)
        return true
    }

    /// The same without those at some places.
    func without(_ places: Set<Int>) -> MeasuredColumn {
        var copy = self
        let left = ids.indices.filter { !places.contains($0) }
        copy.starts = left.map { starts[$0] }
        copy.ends = left.map { ends[$0] }
        copy.values = left.map { values[$0] }
        copy.ids = left.map { ids[$0] }
        return copy
    }

    mutating func removeAll() {
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        ids.removeAll(keepingCapacity: true)
    }
}
