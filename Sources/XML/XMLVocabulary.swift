import Foundation

/// The names that an XML reader knows, found by their bytes without making a string.
struct XMLVocabulary: ~Copyable {
    /// No vocabulary has longer names than this.
    private static let stride = 40
    private static let places = 512

    /// The number of a name for each hash, or `none`. Names with the same hash follow one another.
    private let slots: UnsafeMutablePointer<UInt8>
    private let counts: UnsafeMutablePointer<UInt8>
    private let bytes: UnsafeMutablePointer<UInt8>

    /// The number of a name that is not in the vocabulary.
    static var none: UInt8 { 0xFF }

    /// Creates a vocabulary of at most a hundred names of at most forty bytes. Their numbers are their places in the
    /// list.
    init(_ names: [String]) {
        precondition(names.count <= 100 && names.allSatisfy { (1...Self.stride).contains($0.utf8.count) })
        slots = .allocate(capacity: Self.places)
        slots.initialize(repeating: Self.none, count: Self.places)
        counts = .allocate(capacity: names.count)
        bytes = .allocate(capacity: names.count * Self.stride)
        bytes.initialize(repeating: 0, count: names.count * Self.stride)
        for (number, name) in names.enumerated() {
            let text = Array(name.utf8)
            counts[number] = UInt8(text.count)
            for (index, byte) in text.enumerated() { bytes[number * Self.stride + index] = byte }
            var place = text.withUnsafeBufferPointer { Self.place($0.baseAddress.unsafelyUnwrapped, $0.count) }
            while slots[place] != Self.none { place = (place + 1) & (Self.places - 1) }
            slots[place] = UInt8(number)
        }
    }

    deinit {
        slots.deallocate()
        counts.deallocate()
        bytes.deallocate()
    }

    /// `count` must be at least 1.
    @inline(__always)
    private static func place(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int {
        (Int(text[0]) &* 5 &+ Int(text[count - 1]) &* 23 &+ Int(text[count / 2]) &* 3 &+ count &* 37) & (places - 1)
    }

    /// `count` must be at least 1.
    @inline(__always)
    func number(of text: UnsafePointer<UInt8>, count: Int) -> UInt8 {
        var place = Self.place(text, count)
        while true {
            let number = slots[place]
            if number == Self.none { return number }
            if Int(counts[Int(number)]) == count, memcmp(bytes + Int(number) * Self.stride, text, count) == 0 {
                return number
            }
            place = (place + 1) & (Self.places - 1)
        }
    }
}
