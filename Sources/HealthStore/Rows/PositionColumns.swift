package import SessionLog

/// The positions of a route to be stored. They are packed by the thousand, and those of a long route are kept in a
/// temporary file, so that they take little memory.
///
/// The bytes are pieces in order of time. A piece is the number of its positions as a varint, then columns: the times,
/// then each of the seven numbers of a position. A missing number is NaN.
package struct PositionColumns {
    private typealias Position = (date: Date, position: PositionReading)

    /// Divisible by ``PackedIntegers/blockLength``.
    private static let pieceLength = 8_192

    /// All pieces except the last.
    private var packed = SpooledBytes()
    package private(set) var count = 0
    /// In seconds since the reference date.
    private(set) var firstTime = 0.0
    private(set) var lastTime = 0.0
    private var isInOrder = true
    /// Of the last piece.
    private var times: [Double] = []
    /// A column without any number yet is empty.
    private var columns = [[Double]](repeating: [], count: numbersOfAPosition)
    /// The indices of positions that an app added.
    private var added: [Int] = []
    /// The indices of positions that an app added and discarded.
    private var discarded: Set<Int> = []

    package init() {}

    init(_ positions: [(date: Date, position: PositionReading)]) {
        for (date, position) in positions { append(position, at: date) }
    }

    mutating func append(_ position: PositionReading, at date: Date) {
        beginPlace(of: position)
        note(position.altitudeInMeters, 2)
        note(position.horizontalAccuracyInMeters, 3)
        note(position.verticalAccuracyInMeters, 4)
        note(position.courseInDegrees, 5)
        note(position.speedInMetersPerSecond, 6)
        endPosition(at: date)
    }

    /// Adds only the place of a position, with the date.
    package mutating func appendPlace(of position: PositionReading, at date: Date) {
        beginPlace(of: position)
        endPosition(at: date)
    }

    private mutating func beginPlace(of position: PositionReading) {
        if times.count == Self.pieceLength { packPiece() }
        if position.isAdded { added.append(count) }
        note(position.latitudeInDegrees, 0)
        note(position.longitudeInDegrees, 1)
    }

    private mutating func endPosition(at date: Date) {
        let time = date.timeIntervalSinceReferenceDate
        if count == 0 { firstTime = time } else if time < lastTime { isInOrder = false }
        lastTime = time
        times.append(time)
        count += 1
    }

    private mutating func note(_ number: Double?, _ column: Int) {
        guard number != nil || !columns[column].isEmpty else { return }
        if columns[column].isEmpty { columns[column] = [Double](repeating: .nan, count: times.count) }
        columns[column].append(number ?? .nan)
    }

    /// Removes the positions that an app added.
    package mutating func removeAdded() {
        discarded.formUnion(added)
        added = []
    }

    /// Drops the removed positions and sorts the others by time. Then the bytes are complete.
    package mutating func finish() throws {
        if !discarded.isEmpty || !isInOrder {
            var positions: [Position] = []
            try forEach { positions.append(($0, $1)) }
            let kept = positions.indices.filter { !discarded.contains($0) }
            self = PositionColumns(
                kept.sorted { (positions[$0].date, $0) < (positions[$1].date, $1) }.map { positions[$0] })
        }
        if !times.isEmpty { packPiece() }
    }

    /// All pieces, including an unfinished one. Each part of the bytes is a whole piece.
    var bytes: SpooledBytes {
        guard !times.isEmpty || count == 0 else { return packed }
        var copy = self
        copy.packPiece()
        return copy.packed
    }

    private mutating func packPiece() {
        var piece: [UInt8] = []
        PackedIntegers.appendVarint(UInt64(times.count), to: &piece)
        Self.pack(times, among: ColumnScale.ofTimes, into: &piece)
        for column in columns {
            Self.pack(
                column.isEmpty ? [Double](repeating: .nan, count: times.count) : column, among: ColumnScale.ofPositions,
                into: &piece)
        }
        packed.append(piece)
        times.removeAll(keepingCapacity: true)
        for column in columns.indices { columns[column].removeAll(keepingCapacity: true) }
    }

    private static func pack(_ column: [Double], among scales: [ColumnScale], into piece: inout [UInt8]) {
        let (scale, integers) = ColumnScale.best(for: column, among: scales)
        piece.append(scale.rawValue)
        PackedIntegers.append(integers, to: &piece)
    }

    /// Calls `body` with the date and the place of each position, in order.
    package func forEachPlace(
        _ body: (_ date: Date, _ latitudeInDegrees: Double, _ longitudeInDegrees: Double) -> Void
    ) throws {
        try bytes.forEachPart { part in
            try part.withUnsafeBytes { bytes in
                var reader = ByteReader(bytes)
                while reader.remaining > 0 {
                    let (times, columns) = try Self.columns(ofPieceIn: &reader)
                    for index in times.indices {
                        body(
                            Date(timeIntervalSinceReferenceDate: times[index]), columns[0][index], columns[1][index])
                    }
                }
            }
        }
    }

    private func forEach(_ body: (Date, PositionReading) -> Void) throws {
        try bytes.forEachPart { part in try part.withUnsafeBytes { try Self.forEach(in: $0, body) } }
    }

    static func decoded(_ bytes: UnsafeRawBufferPointer) throws -> [(date: Date, position: PositionReading)] {
        var positions: [Position] = []
        try forEach(in: bytes) { positions.append(($0, $1)) }
        return positions
    }

    private static func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (Date, PositionReading) -> Void
    ) throws(SampleRunError) {
        var reader = ByteReader(bytes)
        repeat { try forEach(inPieceOf: &reader, body) } while reader.remaining > 0
    }

    /// Calls `body` with the positions of the next piece, in order.
    static func forEach(
        inPieceOf reader: inout ByteReader, _ body: (Date, PositionReading) -> Void
    ) throws(SampleRunError) {
        let (times, columns) = try columns(ofPieceIn: &reader)
        for index in times.indices {
            func value(_ column: Int) -> Double? { columns[column][index].isNaN ? nil : columns[column][index] }
            body(
                Date(timeIntervalSinceReferenceDate: times[index]),
                PositionReading(
                    latitudeInDegrees: value(0) ?? 0, longitudeInDegrees: value(1) ?? 0, altitudeInMeters: value(2),
                    horizontalAccuracyInMeters: value(3), verticalAccuracyInMeters: value(4),
                    courseInDegrees: value(5), speedInMetersPerSecond: value(6)))
        }
    }

    private static func columns(
        ofPieceIn reader: inout ByteReader
    ) throws(SampleRunError) -> (times: [Double], columns: [[Double]]) {
        let number = try reader.varint()
        guard number <= 1 << 24 else { throw .damaged("a count of \(number)") }
        func column() throws(SampleRunError) -> [Double] {
            let scale = try SampleRun.scale(&reader)
            return scale.doubles(try PackedIntegers.read(Int(number), from: &reader))
        }
        let times = try column()
        var columns: [[Double]] = []
        for _ in 0..<numbersOfAPosition { columns.append(try column()) }
        return (times, columns)
    }

    private static let numbersOfAPosition = 7
}
