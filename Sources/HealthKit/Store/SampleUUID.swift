import Synchronization

// Samples carry UUIDs, and random ones cannot be compressed: 16 bytes each for what otherwise costs one or two. So the
// UUIDs that this module makes count upwards within a process. What they begin with is random, so that two processes do
// not meet; samples that were made one after another differ in the last two bytes alone, and a run keeps those only.

extension UUID {
    /// A UUID that was never given before: version 8 of RFC 9562, 74 bits of chance for the process and a counter of 48.
    package static func next() -> UUID { next(1) }

    /// The first of `count` UUIDs in a row that share everything but their ``ordinal``. At most 65,536.
    package static func next(_ count: Int) -> UUID {
        let needed = UInt64(count)
        while true {
            let first = counter.wrappingAdd(needed, ordering: .relaxed).oldValue
            if first >> 16 == (first + needed - 1) >> 16 { return UUID(process: process, counter: first) }
        }
    }

    /// The UUID of a workout's sample that nobody gave one: the same wherever the workout's log is made into samples, so that
    /// a workout which is stored on two machines has the same samples on both.
    static func ofSample(_ number: UInt64, in workout: UUID) -> UUID {
        let bytes = workout.bytes
        let head = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return UUID(process: (head, UInt16(bytes[14]) << 8 | UInt16(bytes[15])), counter: number)
    }

    private static let counter = Atomic<UInt64>(0)
    private static let process = (UInt64.random(in: .min ... .max), UInt16.random(in: .min ... .max))

    private init(process: (UInt64, UInt16), counter: UInt64) {
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        let a = process.0
        self.init(
            uuid: (
                byte(a, 56), byte(a, 48), byte(a, 40), byte(a, 32), byte(a, 24), byte(a, 16),
                byte(a, 8) & 0x0F | 0x80, byte(a, 0), UInt8(truncatingIfNeeded: process.1 >> 8) & 0x3F | 0x80,
                UInt8(truncatingIfNeeded: process.1), byte(counter, 40), byte(counter, 32), byte(counter, 24),
                byte(counter, 16), byte(counter, 8), byte(counter, 0)
            ))
    }

    /// The last two bytes.
    var ordinal: UInt16 { UInt16(uuid.14) << 8 | UInt16(uuid.15) }

    /// The UUID with an ordinal of 0: what the samples of a run have in common.
    var base: UUID { with(ordinal: 0) }

    func with(ordinal: UInt16) -> UUID {
        var bytes = uuid
        bytes.14 = UInt8(ordinal >> 8)
        bytes.15 = UInt8(truncatingIfNeeded: ordinal)
        return UUID(uuid: bytes)
    }

    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Nil unless there are 16 bytes.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var value = Self.zero.uuid
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
        self.init(uuid: value)
    }

    /// A number that different UUIDs rarely share: what UUIDs from elsewhere are looked up by.
    var fingerprint: Int64 {
        withUnsafeBytes(of: uuid) {
            $0.loadUnaligned(fromByteOffset: 0, as: Int64.self) ^ $0.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        }
    }
}
