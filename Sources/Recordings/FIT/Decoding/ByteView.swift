/// Bytes that another object owns, read without copying.
///
/// Together with `FixedBuffer` this is all the unchecked memory access of the FIT decoder. The caller ensures that
/// every offset is in bounds, using `count`; debug builds check it.
///
/// Numbers are loaded whole, as they lie in memory, because the decoder reads files with millions of them. The slower
/// alternative, which computes the place of each byte, is `FixedWidthInteger.init(littleEndian:at:)`.
package struct ByteView {
    private let start: UnsafeRawPointer
    package let count: Int

    /// Returns nil if there are no bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        self.start = start
        count = bytes.count
    }

    private init(start: UnsafeRawPointer, count: Int) {
        self.start = start
        self.count = count
    }

    @inline(__always)
    func uint8(at offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < count)
        return start.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func uint16(at offset: Int) -> UInt16 {
        assert(offset >= 0 && offset + 2 <= count)
        return UInt16(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(__always)
    func uint32(at offset: Int) -> UInt32 {
        assert(offset >= 0 && offset + 4 <= count)
        return UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    func uint64(at offset: Int) -> UInt64 {
        assert(offset >= 0 && offset + 8 <= count)
        return UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The bytes in `range`, which must be in bounds.
    @inline(__always)
    subscript(range: Range<Int>) -> ByteView {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        return ByteView(start: start + range.lowerBound, count: range.count)
    }

    /// The same bytes, for an API that wants a buffer.
    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

/// A fixed number of plain values in its own memory, read and written without reference counts or copies.
///
/// The index must be in bounds; debug builds check it.
struct FixedBuffer<Element: BitwiseCopyable>: ~Copyable {
    private let start: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: element, count: count)
        self.count = count
    }

    deinit { start.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return start[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count)
            start[index] = newValue
        }
    }

    func fill(_ range: Range<Int>, with element: Element) {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        (start + range.lowerBound).update(repeating: element, count: range.count)
    }

    /// The values from `index` on. The pointer is valid as long as the buffer.
    @inline(__always)
    func values(from index: Int) -> UnsafePointer<Element> {
        assert(index >= 0 && index < count)
        return UnsafePointer(start + index)
    }
}
