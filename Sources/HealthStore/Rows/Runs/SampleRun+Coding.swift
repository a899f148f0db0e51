import SessionLog

// The bytes of a run, version 2. Version 1 is read too, and differs in the encoding of packed integers:
//
//     version  1 byte
//     count    varint
//     times    1 byte: the scale; starts, then durations (ends where the scale is `bits`) as packed integers
//     values   1 byte: the scale; packed integers
//     order    packed integers: sequences, counted from `firstSequence`, which the row holds
//     ids      1 byte: 0 counted, then ordinals as packed integers; 1 listed, then 16 bytes each
//     check    CRC-32 of all that, 4 bytes, little-endian
//
// Decoding is total: any bytes give a run or an error.

extension SampleRun {
    private static let version: UInt8 = 2
    private static let readableVersions: ClosedRange<UInt8> = 1...version
    static let mostSamples = 1 << 22

    func encoded(firstSequence: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + 4 * count)
        bytes.append(Self.version)
        PackedIntegers.appendVarint(UInt64(count), to: &bytes)
        appendTimes(to: &bytes)
        let (scale, numbers) = ColumnScale.best(for: values, among: ColumnScale.ofValues)
        bytes.append(scale.rawValue)
        PackedIntegers.append(numbers, to: &bytes)
        PackedIntegers.append(sequences.map { $0 &- firstSequence }, to: &bytes)
        switch ids {
        case .counted(_, let ordinals):
            bytes.append(0)
            PackedIntegers.append(ordinals.map(Int64.init), to: &bytes)
        case .listed(let ids):
            bytes.append(1)
            for id in ids { withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) } }
        }
        let check = bytes.withUnsafeBytes { CRC32.of($0) }
        withUnsafeBytes(of: check.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    private func appendTimes(to bytes: inout [UInt8]) {
        let (scale, first) = ColumnScale.best(for: starts, among: ColumnScale.ofTimes)
        if scale != .bits, starts == ends {
            bytes.append(scale.rawValue)
            PackedIntegers.append(first, to: &bytes)
            PackedIntegers.append([Int64](repeating: 0, count: count), to: &bytes)
            return
        }
        for scale in ColumnScale.ofTimes.drop(while: { $0 != scale }) {
            guard let first = scale.integers(starts), let last = scale.integers(ends) else { continue }
            bytes.append(scale.rawValue)
            PackedIntegers.append(first, to: &bytes)
            PackedIntegers.append(scale == .bits ? last : zip(last, first).map { $0 &- $1 }, to: &bytes)
            return
        }
    }

    /// - Parameter base: The common part of counted UUIDs, from the row.
    init(
        _ bytes: UnsafeRawBufferPointer, firstSequence: Int64, base: UUID?
    ) throws(SampleRunError) {
        guard bytes.count > 4 else { throw .damaged("an early end") }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast(4)))
        let count = try Self.count(&reader)

        let timeScale = try Self.scale(&reader)
        let first = try PackedIntegers.read(count, from: &reader)
        var last = try PackedIntegers.read(count, from: &reader)
        if timeScale != .bits { for index in last.indices { last[index] &+= first[index] } }
        starts = timeScale.doubles(first)
        ends = timeScale.doubles(last)

        let valueScale = try Self.scale(&reader)
        values = valueScale.doubles(try PackedIntegers.read(count, from: &reader))

        sequences = try PackedIntegers.read(count, from: &reader)
        for index in sequences.indices { sequences[index] &+= firstSequence }

        switch try reader.byte() {
        case 0:
            guard let base else { throw .damaged("no beginning of the UUIDs") }
            let ordinals = try PackedIntegers.read(count, from: &reader)
            ids = .counted(base: base, ordinals: ordinals.map { UInt16(truncatingIfNeeded: $0) })
        case 1:
            guard count * 16 <= reader.remaining else { throw .damaged("an early end") }
            var list: [UUID] = []
            list.reserveCapacity(count)
            for _ in 0..<count { list.append(UUID(bytes: try reader.bytes(16)) ?? .zero) }
            ids = .listed(list)
        case let other:
            throw .damaged("a kind \(other) of UUIDs")
        }
        guard reader.remaining == 0 else { throw .damaged("more than belongs there") }
    }

    /// The number of samples in the bytes.
    static func count(in bytes: UnsafeRawBufferPointer) throws(SampleRunError) -> Int {
        var reader = ByteReader(bytes)
        return try count(&reader)
    }

    /// Reads the part before the columns.
    static func count(_ reader: inout ByteReader) throws(SampleRunError) -> Int {
        let version = try reader.byte()
        guard readableVersions.contains(version) else { throw .damaged("a version \(version)") }
        let number = try reader.varint()
        guard number <= mostSamples else { throw .damaged("a count of \(number)") }
        return Int(number)
    }

    /// Whether the bytes are unchanged since they were written.
    static func isIntact(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 4 else { return false }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
        let stored = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
        return UInt32(littleEndian: stored) == CRC32.of(content)
    }

    static func scale(_ reader: inout ByteReader) throws(SampleRunError) -> ColumnScale {
        let code = try reader.byte()
        guard let scale = ColumnScale(rawValue: code) else { throw .damaged("a scale \(code)") }
        return scale
    }
}

/// A lossless conversion of fractional numbers to integers.
enum ColumnScale: UInt8 {
    case whole = 0, tenths, hundredths, thousandths, millionths
    /// Sixtieths, for rates per minute that were written per second.
    case sixtieths
    /// 2⁻²³ s, the resolution of a `Date` between 2018 and 2035.
    case clock
    /// 1/1024 s, the unit in which sensors count intervals between heartbeats.
    case sensorTicks
    /// 180° / 2³¹, the unit of positions in FIT and in many receivers.
    case semicircles
    /// The bits of the number, which suits all numbers.
    case bits = 255

    static let ofTimes: [ColumnScale] = [.whole, .thousandths, .sensorTicks, .clock, .bits]
    static let ofValues: [ColumnScale] = [
        .whole, .tenths, .hundredths, .thousandths, .millionths, .sixtieths, .bits,
    ]
    static let ofPositions: [ColumnScale] = [
        .whole, .tenths, .hundredths, .thousandths, .millionths, .semicircles, .bits,
    ]

    private var divisor: Double {
        switch self {
        case .whole: 1
        case .tenths: 10
        case .hundredths: 100
        case .thousandths: 1000
        case .millionths: 1_000_000
        case .sixtieths: 60
        case .clock: 8_388_608
        case .sensorTicks: 1024
        case .semicircles: 0x1p31
        case .bits: 1
        }
    }

    /// A number is its integer times this, divided by the divisor.
    private var multiplier: Double { self == .semicircles ? 180 : 1 }

    /// Whether the divisor is a power of two. All scales with a multiplier have one.
    private var hasPowerOfTwo: Bool {
        switch self {
        case .clock, .sensorTicks, .semicircles: true
        case .whole, .tenths, .hundredths, .thousandths, .millionths, .sixtieths, .bits: false
        }
    }

    /// Returns the first of `scales` that keeps all numbers exactly. The last one always does.
    static func best(for numbers: [Double], among scales: [ColumnScale]) -> (ColumnScale, [Int64]) {
        for scale in scales {
            if let integers = scale.integers(numbers) { return (scale, integers) }
        }
        return (.bits, numbers.map { Int64(bitPattern: $0.bitPattern) })
    }

    /// Nil if a number would not be restored bit by bit.
    func integers(_ numbers: [Double]) -> [Int64]? {
        guard self != .bits else { return numbers.map { Int64(bitPattern: $0.bitPattern) } }
        let (multiplier, divisor) = (multiplier, divisor)
        let integersPerUnit = divisor / multiplier
        var isExact = true
        let integers = [Int64](unsafeUninitializedCapacity: numbers.count) { buffer, filled in
            for number in numbers {
                let scaled = number * integersPerUnit
                guard abs(scaled) < 4e18 else {
                    isExact = false
                    return
                }
                var integer = Int64(scaled)
                // Most numbers are whole, and rounding costs a call.
                if Double(integer) != scaled { integer = Int64(scaled.rounded()) }
                // Negative zero fails here, because integers have one zero.
                guard (Double(integer) * multiplier / divisor).bitPattern == number.bitPattern else {
                    isExact = false
                    return
                }
                buffer.initializeElement(at: filled, to: integer)
                filled += 1
            }
        }
        return isExact ? integers : nil
    }

    func double(_ integer: Int64) -> Double {
        self == .bits ? Double(bitPattern: UInt64(bitPattern: integer)) : Double(integer) * multiplier / divisor
    }

    func doubles(_ integers: [Int64]) -> [Double] {
        guard self != .bits else { return integers.map { Double(bitPattern: UInt64(bitPattern: $0)) } }
        var doubles = Self.converted(integers)
        let (multiplier, divisor) = (multiplier, divisor)
        if hasPowerOfTwo {
            // Exactly the same, and a multiplication is faster.
            let factor = multiplier / divisor
            for index in doubles.indices { doubles[index] *= factor }
        } else if self != .whole {
            for index in doubles.indices { doubles[index] /= divisor }
        }
        return doubles
    }

    /// Converts several integers at a time, for which most processors have no instruction: adds an integer below 2⁵¹ to the
    /// bits of a number whose last bit is worth 1, and subtracts that number.
    private static func converted(_ integers: [Int64]) -> [Double] {
        let offset = 0x1.8p52
        var largeBits: UInt64 = 0
        let doubles = [Double](unsafeUninitializedCapacity: integers.count) { doubles, filled in
            for (index, integer) in integers.enumerated() {
                let bits = UInt64(bitPattern: integer)
                largeBits |= (bits &+ 1 << 51) >> 52
                doubles[index] = Double(bitPattern: bits &+ offset.bitPattern) - offset
            }
            filled = integers.count
        }
        return largeBits == 0 ? doubles : integers.map(Double.init)
    }
}

/// The checksum of ISO 3309 (polynomial 0xEDB88320, reflected), as zlib and PNG use it.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var check = UInt32.max
            for byte in bytes { check = table[Int(UInt8(truncatingIfNeeded: check) ^ byte)] ^ check >> 8 }
            return ~check
        }
    }
}
