import Recordings

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
