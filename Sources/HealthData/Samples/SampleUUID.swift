import Recordings
import SessionLog
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
    package static func ofSample(_ number: UInt64, in workout: UUID) -> UUID {
        let (head, tail) = workout.halves
        return UUID(process: (head, UInt16(truncatingIfNeeded: tail)), counter: number)
    }

    /// Whether it is one of those that ``ofSample(_:in:)`` gives.
    package func isSample(of workout: UUID) -> Bool {
        let (mine, its) = (halves, UUID.ofSample(0, in: workout).halves)
        return mine.0 == its.0 && mine.1 >> 48 == its.1 >> 48
    }

    private static let counter = Atomic<UInt64>(0)
    private static let process = (UInt64.random(in: .min ... .max), UInt16.random(in: .min ... .max))

    /// - Parameter counter: 48 bits.
    private init(process: (UInt64, UInt16), counter: UInt64) {
        self.init(version8: process.0, UInt64(process.1) << 48 | counter & 0xFFFF_FFFF_FFFF)
    }

    /// The last two bytes.
    @inlinable package var ordinal: UInt16 { UInt16(truncatingIfNeeded: halves.1) }

    /// The UUID with an ordinal of 0: what the samples of a run have in common.
    package var base: UUID { with(ordinal: 0) }

    /// Whether the UUIDs differ in their ordinals at most.
    @inlinable package func sharesBase(with other: UUID) -> Bool {
        let (mine, theirs) = (halves, other.halves)
        return mine.0 == theirs.0 && mine.1 >> 16 == theirs.1 >> 16
    }

    /// The first eight bytes and the last.
    @inlinable package var halves: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    package func with(ordinal: UInt16) -> UUID {
        var bytes = uuid
        bytes.14 = UInt8(ordinal >> 8)
        bytes.15 = UInt8(truncatingIfNeeded: ordinal)
        return UUID(uuid: bytes)
    }

    package static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    package var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Nil unless there are 16 bytes.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Nil unless there are 16 bytes.
    package init?(data: Data) {
        guard let id = data.withUnsafeBytes({ UUID(bytes: $0) }) else { return nil }
        self = id
    }

    /// A number that different UUIDs rarely share: what UUIDs from elsewhere are looked up by.
    package var fingerprint: Int64 {
        withUnsafeBytes(of: uuid) {
            $0.loadUnaligned(fromByteOffset: 0, as: Int64.self) ^ $0.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        }
    }
}
