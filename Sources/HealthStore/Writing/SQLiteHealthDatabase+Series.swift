import GRDB
package import Recordings

extension SQLiteHealthDatabase {
    package func heartbeats(_ series: UUID) throws -> [StoredHeartbeat] {
        try read { db in
            let reader = StoreReader(db)
            guard let (run, _) = try reader.find(series), run.kind == .heartbeats else { return [] }
            let beats = try reader.columns(run)
            return beats.starts.indices.map {
                StoredHeartbeat(secondsSinceStart: beats.starts[$0], precededByGap: beats.values[$0] != 0)
            }
        }
    }

    package func positions(_ route: UUID) throws -> [(date: Date, position: PositionReading)] {
        try read { db in
            let reader = StoreReader(db)
            guard let (run, _) = try reader.find(route), run.kind == .route else { return [] }
            return try reader.withColumns(of: run) { try PositionColumns.decoded($0) }
        }
    }

    package func voltages(_ electrocardiogram: UUID) throws -> [Double] {
        try read { db in
            let reader = StoreReader(db)
            guard let (run, _) = try reader.find(electrocardiogram), run.kind == .object, try reader.hasColumns(run)
            else { return [] }
            return try reader.columns(run).values
        }
    }

    package func quantities(_ sample: UUID) throws -> [StoredQuantity] {
        try read { db in
            let reader = StoreReader(db)
            guard let (run, index) = try reader.find(sample) else { return [] }
            let type = try reader.type(run.type) as? HKQuantityType
            guard run.kind == .quantities || run.kind == .quantitySeries,
                let unit = try reader.unit(run.origin.unit) ?? type?.canonicalUnit
            else { return [] }
            let columns = try reader.columns(run)
            let indices = run.kind == .quantities ? index..<index + 1 : columns.starts.indices
            return indices.map {
                StoredQuantity(
                    quantity: HKQuantity(unit: unit, doubleValue: columns.values[$0]),
                    start: Date(timeIntervalSinceReferenceDate: columns.starts[$0]),
                    end: Date(timeIntervalSinceReferenceDate: columns.ends[$0]))
            }
        }
    }
}

extension SampleRun {
    /// The quantities of a series, in order of time, in a unit that they all convert to.
    init(_ quantities: [StoredQuantity], unit: HKUnit?) {
        let sorted = quantities.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        starts = sorted.map(\.start.timeIntervalSinceReferenceDate)
        ends = sorted.map { max($0.start, $0.end).timeIntervalSinceReferenceDate }
        values = sorted.map { one in
            unit.flatMap { one.quantity.is(compatibleWith: $0) ? one.quantity.doubleValue(for: $0) : nil }
                ?? one.quantity.value
        }
        fillIdentities()
    }

    /// Beats: seconds since the start of the series; 1 for one that a gap precedes.
    init(_ beats: [StoredHeartbeat]) {
        starts = beats.map(\.secondsSinceStart)
        ends = starts
        values = beats.map { $0.precededByGap ? 1 : 0 }
        fillIdentities()
    }

    /// Voltages in microvolts: each with its place in the order.
    init(voltages microvolts: [Double]) {
        starts = microvolts.indices.map(Double.init)
        ends = starts
        values = microvolts
        fillIdentities()
    }

    /// What is inside a series has neither sequences nor UUIDs.
    private mutating func fillIdentities() {
        sequences = [Int64](repeating: 0, count: starts.count)
        ids = .counted(base: .zero, ordinals: [UInt16](repeating: 0, count: starts.count))
    }
}

/// The positions of a route as columns: times, then each of the seven numbers of a position; a NaN where one is missing.
enum PositionColumns {
    private typealias Position = (date: Date, position: PositionReading)

    static func encoded(_ positions: [(date: Date, position: PositionReading)]) -> [UInt8] {
        var bytes: [UInt8] = []
        PackedIntegers.appendVarint(UInt64(positions.count), to: &bytes)
        append(positions.map(\.date.timeIntervalSinceReferenceDate), among: ColumnScale.ofTimes, to: &bytes)
        for number in numbers {
            append(positions.map { number($0.position) ?? .nan }, among: scales, to: &bytes)
        }
        return bytes
    }

    private static func append(_ column: [Double], among scales: [ColumnScale], to bytes: inout [UInt8]) {
        let (scale, integers) = ColumnScale.best(for: column, among: scales)
        bytes.append(scale.rawValue)
        PackedIntegers.append(integers, to: &bytes)
    }

    static func decoded(_ bytes: UnsafeRawBufferPointer) throws -> [(date: Date, position: PositionReading)] {
        var reader = ByteReader(bytes)
        let number = try reader.varint()
        guard number <= 1 << 24 else { throw SampleRunError.damaged("a count of \(number)") }
        func column() throws(SampleRunError) -> [Double] {
            guard let scale = ColumnScale(rawValue: try reader.byte()) else { throw .damaged("an unknown scale") }
            return scale.doubles(try PackedIntegers.read(Int(number), from: &reader))
        }
        let times = try column()
        var columns: [[Double]] = []
        for _ in numbers { columns.append(try column()) }
        return times.indices.map { index in
            func value(_ column: Int) -> Double? { columns[column][index].isNaN ? nil : columns[column][index] }
            return (
                Date(timeIntervalSinceReferenceDate: times[index]),
                PositionReading(
                    latitudeInDegrees: value(0) ?? 0, longitudeInDegrees: value(1) ?? 0, altitudeInMeters: value(2),
                    horizontalAccuracyInMeters: value(3), verticalAccuracyInMeters: value(4),
                    courseInDegrees: value(5), speedInMetersPerSecond: value(6))
            )
        }
    }

    private static let scales: [ColumnScale] = [.whole, .tenths, .hundredths, .thousandths, .millionths, .bits]

    private static let numbers: [@Sendable (PositionReading) -> Double?] = [
        { $0.latitudeInDegrees }, { $0.longitudeInDegrees }, { $0.altitudeInMeters },
        { $0.horizontalAccuracyInMeters }, { $0.verticalAccuracyInMeters }, { $0.courseInDegrees },
        { $0.speedInMetersPerSecond },
    ]
}
