/// Columns of integers in as few bits as they need, exactly.
///
/// A column is a byte for its order, then blocks of 128. Order 0 packs the numbers themselves, order 1 the differences
/// between neighbours, whichever is smaller: a heart rate hovers, a time climbs. A block is the number of bits of each
/// member (0 … 64), the least member as a zigzag varint, and then each member's distance from the least, little-endian
/// bits. Times at a steady pace need no bits at all. Arithmetic wraps, so every 64-bit integer comes back.
enum PackedIntegers {
    static let blockLength = 128

    static func append(_ numbers: [Int64], to bytes: inout [UInt8]) {
        guard numbers.count > 1 else {
            bytes.append(0)
            appendBlocks(numbers, to: &bytes)
            return
        }
        var differences = numbers
        for index in stride(from: numbers.count - 1, to: 0, by: -1) { differences[index] &-= numbers[index - 1] }
        let usesDifferences = size(differences) < size(numbers)
        bytes.append(usesDifferences ? 1 : 0)
        appendBlocks(usesDifferences ? differences : numbers, to: &bytes)
    }

    private static func size(_ numbers: [Int64]) -> Int {
        numbers.withUnsafeBufferPointer { numbers in
            var bits = 0
            for start in stride(from: 0, to: numbers.count, by: blockLength) {
                let block = numbers[start..<min(start + blockLength, numbers.count)]
                let (least, width) = frame(block)
                bits += 8 + 8 * varintLength(least) + width * block.count
            }
            return bits
        }
    }

    private static func frame(_ block: Slice<UnsafeBufferPointer<Int64>>) -> (least: Int64, width: Int) {
        var least = Int64.max
        var greatest = Int64.min
        for number in block {
            least = min(least, number)
            greatest = max(greatest, number)
        }
        return (least, 64 - UInt64(bitPattern: greatest &- least).leadingZeroBitCount)
    }

    private static func appendBlocks(_ numbers: [Int64], to bytes: inout [UInt8]) {
        numbers.withUnsafeBufferPointer { numbers in
            for start in stride(from: 0, to: numbers.count, by: blockLength) {
                let block = numbers[start..<min(start + blockLength, numbers.count)]
                let (least, width) = frame(block)
                bytes.append(UInt8(width))
                appendVarint(zigzag(least), to: &bytes)
                guard width > 0 else { continue }
                var pending: UInt64 = 0
                var filled = 0
                for number in block {
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
        }
    }

    /// The next column of `count` numbers.
    static func read(_ count: Int, from reader: inout ByteReader) throws(SampleRunError) -> [Int64] {
        try read(0..<count, of: count, from: &reader)
    }

    /// The whole blocks of a column of `count` numbers that a range lies in.
    static func blocks(around range: Range<Int>, of count: Int) -> Range<Int> {
        let first = range.lowerBound / blockLength * blockLength
        return first..<min(count, (range.upperBound + blockLength - 1) / blockLength * blockLength)
    }

    /// Some whole blocks of the next column of `count` numbers.
    static func read(
        _ range: Range<Int>, of count: Int, from reader: inout ByteReader
    ) throws(SampleRunError) -> [Int64] {
        let order = try reader.byte()
        guard order <= 1 else { throw .damaged("a column of order \(order)") }
        // A block takes two bytes at least, so a few bytes cannot ask for a lot of memory.
        guard (count + blockLength - 1) / blockLength * 2 <= reader.remaining else { throw .damaged("a short column") }
        var numbers = [Int64](repeating: 0, count: range.count)
        /// Of the differences before the range.
        var sum: Int64 = 0
        for start in stride(from: 0, to: count, by: blockLength) {
            let length = min(blockLength, count - start)
            let width = Int(try reader.byte())
            guard width <= 64 else { throw .damaged("a block of \(width) bits") }
            let least = unzigzag(try reader.varint())
            let block = try reader.bytes((length * width + 7) / 8)
            if range.contains(start) {
                numbers.withUnsafeMutableBufferPointer { target in
                    let place = start - range.lowerBound
                    unpack(block, width: width, least: least, into: target[place..<place + length])
                }
            } else if order == 1, start < range.lowerBound {
                sum &+= self.sum(block, length: length, width: width, least: least)
            }
        }
        if order == 1 {
            numbers.withUnsafeMutableBufferPointer { target in
                for index in target.indices {
                    sum &+= target[index]
                    target[index] = sum
                }
            }
        }
        return numbers
    }

    private static func sum(_ block: UnsafeRawBufferPointer, length: Int, width: Int, least: Int64) -> Int64 {
        guard width > 0 else { return least &* Int64(length) }
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: length) { room in
            room.initialize(repeating: 0)
            unpack(block, width: width, least: least, into: room[...])
            return room.reduce(0, &+)
        }
    }

    private static func unpack(
        _ block: UnsafeRawBufferPointer, width: Int, least: Int64, into target: Slice<UnsafeMutableBufferPointer<Int64>>
    ) {
        let out = UnsafeMutableBufferPointer(rebasing: target)
        guard width > 0 else {
            out.update(repeating: least)
            return
        }
        let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
        for index in out.indices {
            let bit = index * width
            let byte = bit >> 3
            let shift = UInt64(bit & 7)
            var word: UInt64 = 0
            if byte + 8 <= block.count {
                word = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: byte, as: UInt64.self)) >> shift
                if Int(shift) + width > 64 { word |= UInt64(block[byte + 8]) << (64 - shift) }
            } else {
                for offset in byte..<block.count {
                    word |= UInt64(block[offset]) << UInt64(8 * (offset - byte))
                }
                word >>= shift
            }
            out[index] = Int64(bitPattern: word & mask) &+ least
        }
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

/// Bytes, read in order; what is not there is an error and not a trap.
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

/// What is wrong with stored columns.
enum SampleRunError: Error, Equatable {
    case damaged(String)
}

extension SampleRunError: CustomStringConvertible {
    var description: String {
        switch self {
        case .damaged(let what): "Stored samples cannot be read: there is \(what) in them."
        }
    }
}
