/// A binary property list (`bplist00`), the form of keyed archives. Its bytes may be damaged in any way.
///
/// A table has the offset of each object, and the last 32 bytes have that of the table. Numbers are big-endian. The first byte
/// of an object has its kind, and its size if that is below 15.
package struct BinaryPropertyList {
    package enum Value {
        case integer(Int64)
        case real(Double)
        case boolean(Bool)
        case string(String)
        case data(Data)
        /// Seconds since 2001.
        case date(Double)
        /// The number of another object of a keyed archive.
        case reference(Int)
        case list([Int])
        case dictionary([String: Int])
        case other
    }

    package enum Damage: Error { case damaged }

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    /// The index of the outermost object.
    package let top: Int

    package init(_ data: Data) throws(Damage) {
        let bytes = [UInt8](data)
        let trailer = bytes.count - 32
        guard trailer >= 8, bytes.starts(with: Array("bplist00".utf8)) else { throw .damaged }
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8), count > 0, top < count, table >= 8, table < trailer,
            count <= (trailer - table) / offsetSize
        else { throw .damaged }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            guard let offset = Self.number(bytes, table + index * offsetSize, offsetSize), offset >= 8, offset < table
            else { throw .damaged }
            offsets.append(offset)
        }
        self.bytes = Array(bytes[..<table])
        self.offsets = offsets
        self.top = top
    }

    /// Returns an unsigned number that fits in an `Int`. Nil for any other, and beyond the end.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard start >= 0, size <= 8, start <= bytes.count - size else { return nil }
        return Int(exactly: bigEndian(bytes[start..<start + size]))
    }

    /// The last eight bytes, if there are more.
    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var number: UInt64 = 0
        for byte in bytes { number = number << 8 | UInt64(byte) }
        return number
    }

    /// - Parameter place: ``top``, or an index from a list or dictionary.
    package func value(at place: Int) throws(Damage) -> Value {
        guard offsets.indices.contains(place) else { throw .damaged }
        let start = offsets[place]
        let low = Int(bytes[start] & 0x0F)
        switch bytes[start] >> 4 {
        case 0x0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .other
        case 0x1:
            // Only the lower half of 16 bytes counts.
            guard low <= 4 else { throw .damaged }
            return .integer(Int64(bitPattern: Self.bigEndian(try part(start + 1, 1 << low))))
        case 0x2: return .real(try real(start + 1, 1 << low))
        case 0x3: return .date(try real(start + 1, 8))
        case 0x4:
            let (first, count) = try extent(start)
            return .data(Data(try part(first, count)))
        case 0x5:
            let (first, count) = try extent(start)
            return .string(String(decoding: try part(first, count), as: UTF8.self))
        case 0x6:
            let (first, count) = try extent(start)
            guard count <= bytes.count / 2 else { throw .damaged }
            let pairs = try part(first, count * 2)
            let units = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2)
                .map { UInt16(truncatingIfNeeded: Self.bigEndian(pairs[$0..<$0 + 2])) }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8:
            guard let number = Self.number(bytes, start + 1, low + 1) else { throw .damaged }
            return .reference(number)
        case 0xA, 0xC:
            let (first, count) = try extent(start)
            return .list(try places(first, count))
        case 0xD: return .dictionary(try dictionary(start))
        default: throw .damaged
        }
    }

    private func part(_ start: Int, _ count: Int) throws(Damage) -> ArraySlice<UInt8> {
        guard count >= 0, start <= bytes.count - count else { throw .damaged }
        return bytes[start..<start + count]
    }

    private func real(_ start: Int, _ size: Int) throws(Damage) -> Double {
        guard size == 4 || size == 8 else { throw .damaged }
        let word = Self.bigEndian(try part(start, size))
        return size == 4 ? Double(Float(bitPattern: UInt32(word))) : Double(bitPattern: word)
    }

    /// The start and the size of the content of an object.
    private func extent(_ start: Int) throws(Damage) -> (first: Int, count: Int) {
        let low = Int(bytes[start] & 0x0F)
        guard low == 15 else { return (start + 1, low) }
        guard let marker = try part(start + 1, 1).first, marker >> 4 == 1, marker & 0x0F <= 3 else { throw .damaged }
        let size = 1 << Int(marker & 0x0F)
        guard let count = Self.number(bytes, start + 2, size), count <= bytes.count else { throw .damaged }
        return (start + 2 + size, count)
    }

    private func places(_ start: Int, _ count: Int) throws(Damage) -> [Int] {
        guard count <= bytes.count / referenceSize else { throw .damaged }
        var places: [Int] = []
        places.reserveCapacity(count)
        for index in 0..<count {
            guard let place = Self.number(bytes, start + index * referenceSize, referenceSize) else { throw .damaged }
            places.append(place)
        }
        return places
    }

    private func dictionary(_ start: Int) throws(Damage) -> [String: Int] {
        let (first, count) = try extent(start)
        let keys = try places(first, count)
        let values = try places(first + count * referenceSize, count)
        var dictionary: [String: Int] = [:]
        for (key, value) in zip(keys, values) {
            guard offsets.indices.contains(key), [0x5, 0x6].contains(bytes[offsets[key]] >> 4),
                case .string(let key) = try self.value(at: key)
            else { throw .damaged }
            dictionary[key] = value
        }
        return dictionary
    }
}
