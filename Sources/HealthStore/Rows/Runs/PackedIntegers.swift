/// Lossless columns of integers in as few bits as possible.
///
/// A column is a byte for its order, then blocks of 128. A block is the number of bits of each member (0 … 64), the
/// least member as a zigzag varint, and then each member's distance from the least, little-endian bits. Times at equal
/// intervals need no bits. Arithmetic wraps, so every 64-bit integer is kept.
///
/// A column is written in the smaller of two encodings: plain numbers for values that hover, such as heart rates, and
/// differences for values that grow, such as times. Differences begin anew in each block, so a reader unpacks only the
/// blocks that it needs. A column of equal steps has no blocks.
enum PackedIntegers {
    static let blockLength = 128

    fileprivate enum Order: UInt8 {
        /// The members are the numbers.
        case numbers = 0
        /// The members are the differences between neighbours in the whole column. Runs of version 1 have this order.
        case differences
        /// A block begins with its first number, less the first number of the block before, as a zigzag varint. The members
        /// are the differences between neighbours in the block: one less than its numbers.
        case differencesInBlocks
        /// Two zigzag varints instead of blocks: the first number, and the step from each number to the next.
        case steady
    }

    /// Longer columns have blocks of at least two bytes each, so that a few damaged bytes cannot request much memory.
    private static let longestSteady = 8_192

    static func append(_ numbers: [Int64], to bytes: inout [UInt8]) {
        if let (first, step) = steadyPace(numbers) {
            bytes.append(Order.steady.rawValue)
            appendVarint(zigzag(first), to: &bytes)
            appendVarint(zigzag(step), to: &bytes)
            return
        }
        var differences = numbers
        for index in stride(from: numbers.count - 1, to: 0, by: -1) {
            if index % blockLength != 0 {
                differences[index] &-= numbers[index - 1]
            } else {
                differences[index] &-= numbers[index - blockLength]
            }
        }
        let usesDifferences = size(differences, .differencesInBlocks) < size(numbers, .numbers)
        let order = usesDifferences ? Order.differencesInBlocks : .numbers
        bytes.append(order.rawValue)
        forEachBlock(usesDifferences ? differences : numbers, order) { first, members in
            if let first { appendVarint(zigzag(first), to: &bytes) }
            append(members, to: &bytes)
        }
    }

    private static func steadyPace(_ numbers: [Int64]) -> (first: Int64, step: Int64)? {
        guard let first = numbers.first, numbers.count <= longestSteady else { return nil }
        let step = numbers.count > 1 ? numbers[1] &- first : 0
        let isSteady = zip(numbers, numbers.dropFirst()).allSatisfy { $1 &- $0 == step }
        return isSteady ? (first, step) : nil
    }

    /// Calls `body` with the members of each block, and with its first number if the encoding has one.
    private static func forEachBlock(
        _ numbers: [Int64], _ order: Order, _ body: (Int64?, Slice<UnsafeBufferPointer<Int64>>) -> Void
    ) {
        numbers.withUnsafeBufferPointer { numbers in
            for start in stride(from: 0, to: numbers.count, by: blockLength) {
                let block = numbers[start..<min(start + blockLength, numbers.count)]
                if order == .differencesInBlocks {
                    body(block[start], block.dropFirst())
                } else {
                    body(nil, block)
                }
            }
        }
    }

    /// In bits.
    private static func size(_ numbers: [Int64], _ order: Order) -> Int {
        var bits = 0
        forEachBlock(numbers, order) { first, members in
            let (least, width) = frame(members)
            bits += 8 + 8 * varintLength(least) + width * members.count + (first.map { 8 * varintLength($0) } ?? 0)
        }
        return bits
    }

    private static func frame(_ members: Slice<UnsafeBufferPointer<Int64>>) -> (least: Int64, width: Int) {
        guard var least = members.first else { return (0, 0) }
        var greatest = least
        for number in members {
            least = min(least, number)
            greatest = max(greatest, number)
        }
        return (least, 64 - UInt64(bitPattern: greatest &- least).leadingZeroBitCount)
    }

    private static func append(_ members: Slice<UnsafeBufferPointer<Int64>>, to bytes: inout [UInt8]) {
        let (least, width) = frame(members)
        bytes.append(UInt8(width))
        appendVarint(zigzag(least), to: &bytes)
        guard width > 0 else { return }
        var pending: UInt64 = 0
        var filled = 0
        for number in members {
            let distance = UInt64(bitPattern: number &- least)
            pending |= distance << UInt64(filled)
            filled += width
            guard filled >= 64 else { continue }
            withUnsafeBytes(of: pending.littleEndian) { bytes.append(contentsOf: $0) }
            filled -= 64
            pending = filled == 0 ? 0 : distance >> UInt64(width - filled)
        }
        while filled > 0 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            filled -= 8
        }
    }

    /// The next column of `count` numbers.
    static func read(_ count: Int, from reader: inout ByteReader) throws(SampleRunError) -> [Int64] {
        try read(0..<count, of: count, from: &reader).all
    }

    /// Returns the blocks of a column of `count` numbers that contain a range.
    static func blocks(around range: Range<Int>, of count: Int) -> Range<Int> {
        let first = range.lowerBound / blockLength * blockLength
        return first..<min(count, (range.upperBound + blockLength - 1) / blockLength * blockLength)
    }

    /// Returns some blocks of the next column of `count` numbers.
    static func read(
        _ range: Range<Int>, of count: Int, from reader: inout ByteReader
    ) throws(SampleRunError) -> UnpackedIntegers {
        let code = try reader.byte()
        guard let order = Order(rawValue: code) else { throw .damaged("a column of order \(code)") }
        if order == .steady {
            let (first, step) = (unzigzag(try reader.varint()), unzigzag(try reader.varint()))
            guard count <= longestSteady else { throw .damaged("a column of \(count) numbers at a steady pace") }
            return .steady(first: first &+ step &* Int64(range.lowerBound), step: step, count: range.count)
        }
        guard (count + blockLength - 1) / blockLength * 2 <= reader.remaining else { throw .damaged("a short column") }
        var blocks: [PackedBlock] = []
        blocks.reserveCapacity((range.count + blockLength - 1) / blockLength)
        /// The first number of a block if it has one, else the sum of the differences so far.
        var base: Int64 = 0
        for start in stride(from: 0, to: count, by: blockLength) {
            let length = min(blockLength, count - start)
            if order == .differencesInBlocks { base &+= unzigzag(try reader.varint()) }
            let block = try PackedBlock(
                of: order == .differencesInBlocks ? length - 1 : length, after: base, from: &reader)
            if range.contains(start) {
                blocks.append(block)
            } else if order == .differences, start < range.lowerBound {
                base &+= block.sum
            }
        }
        if let (first, step) = steadyPace(blocks, order) {
            return .steady(first: first, step: step, count: range.count)
        }
        return .listed(unpacked(blocks, range.count, order))
    }

    private static func unpacked(_ blocks: [PackedBlock], _ count: Int, _ order: Order) -> [Int64] {
        [Int64](unsafeUninitializedCapacity: count) { numbers, filled in
            var sum = blocks.first?.base ?? 0
            for block in blocks {
                if order == .differencesInBlocks {
                    numbers.initializeElement(at: filled, to: block.base)
                    filled += 1
                }
                let members = UnsafeMutableBufferPointer(rebasing: numbers[filled..<filled + block.memberCount])
                filled += members.count
                switch order {
                case .differencesInBlocks:
                    block.unpackSums(into: members)
                case .differences:
                    block.unpack(into: members)
                    for index in members.indices {
                        sum &+= members[index]
                        members[index] = sum
                    }
                case .numbers, .steady:
                    block.unpack(into: members)
                }
            }
        }
    }

    /// The step of blocks whose members need no bits, if each block continues the previous one.
    private static func steadyPace(_ blocks: [PackedBlock], _ order: Order) -> (first: Int64, step: Int64)? {
        guard order != .differences, let first = blocks.first, blocks.allSatisfy({ $0.width == 0 }) else { return nil }
        guard order == .differencesInBlocks else {
            return blocks.allSatisfy { $0.least == first.least } ? (first.least, 0) : nil
        }
        for (block, next) in zip(blocks, blocks.dropFirst()) {
            guard next.base == block.base &+ first.least &* Int64(blockLength),
                next.least == first.least || next.memberCount == 0
            else { return nil }
        }
        return (first.base, first.least)
    }

    static func zigzag(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }
    static func unzigzag(_ number: UInt64) -> Int64 { Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }

    private static func varintLength(_ number: Int64) -> Int { (70 - zigzag(number).leadingZeroBitCount) / 7 }

    static func appendVarint(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Consecutive numbers of a column.
enum UnpackedIntegers: Equatable {
    case listed([Int64])
    /// Each number is `step` more than the previous one.
    case steady(first: Int64, step: Int64, count: Int)

    var all: [Int64] {
        switch self {
        case .listed(let numbers): numbers
        case .steady(let first, 0, let count): [Int64](repeating: first, count: count)
        case .steady(let first, let step, let count): (0..<count).map { first &+ step &* Int64($0) }
        }
    }
}

/// A packed block of a column.
private struct PackedBlock {
    /// The number that the differences start from.
    let base: Int64
    let memberCount: Int
    let width: Int
    let least: Int64
    private let bytes: UnsafeRawBufferPointer
    /// The number of readable bytes from the start of ``bytes``, including later blocks.
    private let readable: Int

    init(of memberCount: Int, after base: Int64, from reader: inout ByteReader) throws(SampleRunError) {
        self.base = base
        self.memberCount = memberCount
        width = Int(try reader.byte())
        guard width <= 64 else { throw .damaged("a block of \(width) bits") }
        least = PackedIntegers.unzigzag(try reader.varint())
        readable = reader.remaining
        bytes = try reader.bytes((memberCount * width + 7) / 8)
    }

    var sum: Int64 {
        guard width > 0 else { return least &* Int64(memberCount) }
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: memberCount) { members in
            unpack(into: members)
            return members.reduce(0, &+)
        }
    }

    /// Unpacks all members.
    func unpack(into members: UnsafeMutableBufferPointer<Int64>) {
        forEachMember { members.initializeElement(at: $0, to: $1) }
    }

    /// Unpacks the sums of the base and all members so far.
    func unpackSums(into sums: UnsafeMutableBufferPointer<Int64>) {
        var sum = base
        forEachMember { place, member in
            sum &+= member
            sums.initializeElement(at: place, to: sum)
        }
    }

    @inline(__always)
    private func forEachMember(_ body: (Int, Int64) -> Void) {
        guard width > 0, let start = bytes.baseAddress else {
            for place in 0..<memberCount { body(place, least) }
            return
        }
        let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
        // Eight numbers of up to eight bits are in as many bytes as one has bits.
        let eights = width <= 8 && readable >= 8 ? min(memberCount / 8, (readable - 8) / width + 1) : 0
        for eight in 0..<eights {
            var word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: eight &* width, as: UInt64.self))
            for place in 8 &* eight..<8 &* eight &+ 8 {
                body(place, Int64(bitPattern: word & mask) &+ least)
                word &>>= UInt64(width)
            }
        }
        var place = 8 * eights
        var bit = place * width
        // Eight bytes hold a number of up to 57 bits, wherever it begins in the first byte.
        let fast = width <= 57 && readable >= 8 ? min(memberCount, (8 * readable - 57) / width + 1) : 0
        while place < fast {
            let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
            body(place, Int64(bitPattern: word &>> UInt64(bit & 7) & mask) &+ least)
            bit &+= width
            place &+= 1
        }
        while place < memberCount {
            let byte = bit >> 3
            let shift = UInt64(bit & 7)
            var word: UInt64 = 0
            for offset in byte..<min(byte + 8, bytes.count) {
                word |= UInt64(bytes[offset]) << UInt64(8 * (offset - byte))
            }
            word >>= shift
            if Int(shift) + width > 64 { word |= UInt64(bytes[byte + 8]) << (64 - shift) }
            body(place, Int64(bitPattern: word & mask) &+ least)
            bit += width
            place += 1
        }
    }
}

/// Reads bytes in order. Reading past the end is an error and not a trap.
struct ByteReader: ~Copyable {
    private let buffer: UnsafeRawBufferPointer
    private var position = 0

    init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
    }

    var remaining: Int { buffer.count - position }

    mutating func byte() throws(SampleRunError) -> UInt8 {
        guard position < buffer.count else { throw .damaged("an early end") }
        defer { position += 1 }
        return buffer[position]
    }

    mutating func bytes(_ count: Int) throws(SampleRunError) -> UnsafeRawBufferPointer {
        guard count <= remaining else { throw .damaged("an early end") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: buffer[position..<position + count])
    }

    mutating func varint() throws(SampleRunError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .damaged("an endless number")
    }
}

/// An error in stored columns.
package enum SampleRunError: Error, Equatable {
    case damaged(String)
}

extension SampleRunError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let what): "Stored samples cannot be read: there is \(what) in them."
        }
    }
}
