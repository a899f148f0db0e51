import Recordings

/// The positions of a route as columns: times, then each of the seven numbers of a position; a NaN where one is missing.
struct PositionColumns {
    private typealias Position = (date: Date, position: PositionReading)

    /// In seconds since the reference date.
    private(set) var times: [Double] = []
    /// A column that no position had a number for yet is empty.
    private var columns = [[Double]](repeating: [], count: numbersOfAPosition)
    /// The places of those that an app added.
    private var added: [Int] = []

    init() {}

    init(_ positions: [(date: Date, position: PositionReading)]) {
        for (date, position) in positions { append(position, at: date) }
    }

    mutating func append(_ position: PositionReading, at date: Date) {
        if position.isAdded { added.append(times.count) }
        note(position.latitudeInDegrees, 0)
        note(position.longitudeInDegrees, 1)
        note(position.altitudeInMeters, 2)
        note(position.horizontalAccuracyInMeters, 3)
        note(position.verticalAccuracyInMeters, 4)
        note(position.courseInDegrees, 5)
        note(position.speedInMetersPerSecond, 6)
        times.append(date.timeIntervalSinceReferenceDate)
    }

    private mutating func note(_ number: Double?, _ column: Int) {
        guard number != nil || !columns[column].isEmpty else { return }
        if columns[column].isEmpty { columns[column] = [Double](repeating: .nan, count: times.count) }
        columns[column].append(number ?? .nan)
    }

    /// Removes what an app added.
    mutating func removeAdded() {
        let gone = Set(added)
        if !gone.isEmpty { keep(times.indices.filter { !gone.contains($0) }) }
        added = []
    }

    /// Puts them in order of time. After this nothing is added or removed.
    mutating func sort() {
        guard zip(times, times.dropFirst()).contains(where: { $0 > $1 }) else { return }
        keep(times.indices.sorted { (times[$0], $0) < (times[$1], $1) })
    }

    private mutating func keep(_ places: [Int]) {
        times = places.map { times[$0] }
        for column in columns.indices where !columns[column].isEmpty {
            columns[column] = places.map { columns[column][$0] }
        }
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        PackedIntegers.appendVarint(UInt64(times.count), to: &bytes)
        Self.append(times, among: ColumnScale.ofTimes, to: &bytes)
        for column in columns {
            Self.append(
                column.isEmpty ? [Double](repeating: .nan, count: times.count) : column, among: Self.scales, to: &bytes)
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
        for _ in 0..<numbersOfAPosition { columns.append(try column()) }
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

    private static let numbersOfAPosition = 7
}
